/** Installs other libraries and bundles what an application imports of them at the least. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run } from '../lib/run.mjs';

/** Pinned, so that a table can be made again. */
const DEPENDENCIES = {
  '@ag-ui/client': '0.0.58',
  '@ai-sdk/react': '4.0.177',
  '@assistant-ui/react': '0.15.20',
  '@assistant-ui/react-ag-ui': '0.0.57',
  '@copilotkit/react-core': '1.74.0',
  ai: '7.0.173',
  react: '19.3.1',
  'react-dom': '19.3.1',
  zod: '4.6.7',
};
const REACT = ['react', 'react-dom', 'react/jsx-runtime', 'react-dom/client'];

const OURS = [
  "import { createPlinth } from '@plinth/client'; import { PlinthProvider, useThread, useInterrupts, useFrontendTool } from '@plinth/react'",
  "import { createPlinth } from '@plinth/client'; import { PlinthProvider, useThread } from '@plinth/react'; import { PlinthChat } from '@plinth/react/ui'",
].map((code) => ({ name: '@plinth/react', code }));
const PEERS = [
  {
    name: '@ai-sdk/react',
    code: "import { useChat } from '@ai-sdk/react'; import { DefaultChatTransport } from 'ai'",
  },
  {
    name: '@assistant-ui/react',
    code: "import { AssistantRuntimeProvider, useExternalStoreRuntime } from '@assistant-ui/react'",
  },
  {
    name: '@assistant-ui/react-ag-ui',
    code: "import { AssistantRuntimeProvider, ThreadPrimitive, MessagePrimitive, ComposerPrimitive } from '@assistant-ui/react'; import { useAgUiRuntime } from '@assistant-ui/react-ag-ui'; import { HttpAgent } from '@ag-ui/client'",
  },
  {
    name: '@copilotkit/react-core',
    code: "import { CopilotKitContext, CopilotKitCoreReact } from '@copilotkit/react-core/v2/context'; import { useAgent, useInterrupt, useFrontendTool } from '@copilotkit/react-core/v2/headless'",
  },
  {
    name: '@copilotkit/react-core',
    code: "import { CopilotKitProvider, CopilotChat } from '@copilotkit/react-core/v2'",
  },
];

/** @returns {Promise<{ code: string, version: string, kilobytes: string }[]>} */
export async function measurePeers({ measureBundle, log }) {
  const folder = await install(log);
  const rows = [];
  const measure = async ({ name, code, version }, options) => {
    const { bytes } = await measureBundle({ code, external: REACT, ...options });
    rows.push({ code, version, kilobytes: (bytes / 1000).toFixed(1) });
    log(`    ${name} ${(bytes / 1000).toFixed(1)} kB`);
  };
  for (const one of OURS) await measure({ ...one, version: 'this one' }, {});
  for (const one of PEERS) await measure({ ...one, version: DEPENDENCIES[one.name] }, { folder });
  return rows;
}

async function install(log) {
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: DEPENDENCIES }, null, 2);
  const hash = createHash('sha256').update(manifest).digest('hex').slice(0, 16);
  const folder = join(
    process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
    'plinth/peers',
    `sizes-${hash}`,
  );
  const done = join(folder, 'installed');
  if (existsSync(done)) return folder;
  log('    Installing the libraries');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), manifest);
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  const { code, output } = await run('npm', ['install', ...options], { cwd: folder });
  if (code !== 0) throw new Error(`npm install failed:\n${output}`);
  writeFileSync(done, readFileSync(join(folder, 'package.json')));
  return folder;
}
