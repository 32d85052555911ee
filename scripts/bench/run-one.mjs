/** The process in which one benchmark file runs; its measurements go to the parent. */
import { pathToFileURL } from 'node:url';

const { default: measure } = await import(pathToFileURL(process.argv[2]).href);
const measurements = await measure(JSON.parse(process.env.PLINTH_BENCH_SERVICES));
process.send(measurements, () => process.exit(0));
