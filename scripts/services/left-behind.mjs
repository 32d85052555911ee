/** For tests: a service whose owner was killed before it could stop it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Starts `service` of `module` in a process of its own; returns its URL and a way to kill that owner. */
export async function serviceOfAnotherProcess(module, service, dataDir) {
  const code = `
    const { ${service} } = await import(${JSON.stringify(new URL(module, import.meta.url).href)});
    const { url } = await ${service}({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} });
    console.log(url);
    setInterval(() => {}, 1000);
  `;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(owner.stdout, 'data');
  return {
    url: String(line).trim(),
    async kill() {
      owner.kill('SIGKILL');
      await once(owner, 'close');
    },
  };
}
