export { PlinthClientError } from '../errors/plinth-client-error.js';
export type { AnswerOf, Call, CallOptions, InputOf, PathOf, Schemas } from './calls.js';
export { createPlinthServer, type PlinthServer, type PlinthServerOptions } from './create-plinth-server.js';
export {
  finishJob,
  type JobCallbackOptions,
  type JobProgress,
  type JobResult,
  reportProgress,
} from './job-callbacks.js';
