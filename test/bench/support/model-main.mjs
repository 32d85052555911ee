/** The process of `model-process.mjs`: the simulated model with one scenario by name, until its parent goes. */
import { startModelSim } from '@plinth/model-sim';
import { scenarios } from './scenarios.mjs';

const sim = await startModelSim({ scenarios: [scenarios[process.argv[2]]], keepRequests: 2 });
process.on('message', () => process.send({ lastBody: sim.requests.at(-1)?.raw ?? null }));
process.on('disconnect', () => process.exit());
process.send({ url: sim.url });
