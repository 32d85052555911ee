/** The process in which one benchmark file runs; its measurements go to the parent. */
import { pathToFileURL } from 'node:url';

const { default: measure } = await import(pathToFileURL(process.argv[2]).href);
const read = (name) => JSON.parse(process.env[name]);
const measurements = await measure(read('PLINTH_BENCH_SERVICES'), read('PLINTH_BENCH_OPTIONS'));
process.send(measurements, () => process.exit(0));
