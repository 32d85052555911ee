export type { JsonRecord, Prompt, PromptNode } from './prompts/prompt.js';
export type { Faults } from './server/faults.js';
export { type ComfyUiSim, type ComfyUiSimOptions, startComfyUiSim } from './server/start-comfyui-sim.js';
