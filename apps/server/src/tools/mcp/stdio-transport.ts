import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { LineBuffer } from './line-buffer.js';
import { MAX_MESSAGE_BYTES, MessageTooLarge } from './mcp-failure.js';

export interface Program {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** Milliseconds that a process has to end by itself, and again after SIGTERM. */
const PATIENCE_MS = 2_000;
const KEPT_ERROR_OUTPUT = 2_000;

/** Those that run. When this process ends without having ended them, they are ended with it. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) signalGroup(child, 'SIGKILL');
});

/**
 * Talks to a server over the standard streams of its process. The SDK has such a transport; this one takes long messages
 * in linear time, and ends what the process has started too: it leads a process group of its own.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  #child: ChildProcess | null = null;
  #ended: Promise<unknown> = Promise.resolve();
  #errorOutput = '';

  constructor(private readonly program: Program) {}

  /** What the process wrote to its error output, its last characters. */
  get errorOutput(): string {
    return this.#errorOutput;
  }

  /** @throws the error of the system when the program cannot be started */
  async start(): Promise<void> {
    const { command, args, env } = this.program;
    const child = spawn(command, args, {
      env: { ...getDefaultEnvironment(), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    const lines = new LineBuffer(MAX_MESSAGE_BYTES);
    child.stdout.on('data', (piece: Buffer) => this.#read(lines, piece));
    child.stderr.on('data', (piece: Buffer) => {
      this.#errorOutput = (this.#errorOutput + piece.toString()).slice(-KEPT_ERROR_OUTPUT);
    });
    // One that has gone takes no input any more; its end is told below.
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.on('error', (error) => this.onerror?.(error));
    await once(child, 'spawn');
    this.#child = child;
    running.add(child);
    this.#ended = once(child, 'exit');
    child.once('exit', () => {
      this.#child = null;
      running.delete(child);
      // What it has started and not waited for.
      signalGroup(child, 'SIGKILL');
      this.onclose?.();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin;
    if (!input) throw new Error('the process has ended');
    if (!input.write(serializeMessage(message))) await Promise.race([once(input, 'drain'), this.#ended]);
  }

  /** Ends the process: by the end of its input, then by SIGTERM, then by SIGKILL. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    child.stdin?.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await Promise.race([this.#ended, afterTime(PATIENCE_MS)]);
      if (this.#child === null) return;
      signalGroup(child, signal);
    }
    await this.#ended;
  }

  #read(lines: LineBuffer, piece: Buffer): void {
    try {
      for (const line of lines.push(piece)) this.#take(line);
    } catch (error) {
      this.onerror?.(error as Error);
      // What follows belongs to a message that is lost.
      if (error instanceof MessageTooLarge && this.#child) signalGroup(this.#child, 'SIGKILL');
    }
  }

  /** Programs print other things to their output by mistake: that is reported, and not listened to. */
  #take(line: string): void {
    try {
      this.onmessage?.(deserializeMessage(line));
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}

/** Also to what the process has started. It may all be gone already. */
function signalGroup({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // ESRCH: nobody is there.
  }
}

const afterTime = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref());
