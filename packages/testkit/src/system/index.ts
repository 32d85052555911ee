/** Real processes under a test's control. Free of the test runner, so that benchmarks and the chaos run use it too. */
export { ApiClient, ApiProblem, type StreamOptions } from './api-client.js';
export { freePort } from './free-port.js';
export {
  answerWithOrders,
  INCIDENT_SCRIPT,
  INCIDENT_TURNS,
  incidentOrders,
  naiveIncidentBody,
  playIncident,
} from './image-incident.js';
export { type Dispatch, type DispatchReaction, JobService } from './job-service.js';
export {
  parseRequest,
  picturesIn,
  prefixShare,
  type SentMessage,
  type SentPicture,
  type SentRequest,
  textIn,
} from './model-requests.js';
export { NodeProcess, ROOT } from './node-process.js';
export { OauthServer } from './odd-mcp/oauth-server.js';
export { type OddFault, OddMcp } from './odd-mcp/odd-mcp.js';
export { type OddMcpHttp, startOddMcpHttp } from './odd-mcp/start-http.js';
export { photo } from './photo.js';
export { type PlinthOptions, type PlinthUnderTest, startPlinth, type Topology } from './plinth.js';
export { type RedisProxy, startRedisProxy } from './redis-proxy.js';
export { type PassedRequest, startRoundRobin } from './round-robin-proxy.js';
export { type BusinessSpec, newApiKey, seedBusiness } from './seed-business.js';
export { ServerProcess } from './server-process.js';
export { until } from './until.js';
export { startWith, uploadFile } from './with-attachments.js';
