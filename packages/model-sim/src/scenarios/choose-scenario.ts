import type { ChatRequest } from '../api/chat-request.js';
import { echo } from './echo.js';
import type { Scenario } from './scenario.js';

/** The first scenario that takes the request, else the echo. */
export function chooseScenario(scenarios: Scenario[], request: ChatRequest): Scenario {
  return scenarios.find((scenario) => scenario.matches(request)) ?? echo;
}
