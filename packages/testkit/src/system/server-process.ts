import { NodeProcess } from './node-process.js';

/** One real Plinth server process in its role. */
export class ServerProcess extends NodeProcess {
  constructor(
    port: number,
    readonly role: 'api' | 'worker' | 'all',
    environment: Record<string, string>,
  ) {
    super(port, 'apps/server/dist/main.js', '/readyz', { ...environment, PLINTH_ROLE: role });
  }
}
