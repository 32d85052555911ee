import * as React from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import { createElementClass } from '../src/element/plinth-chat-element.js';
import type { LoadWorkspace } from '../src/element/workspace-aside.js';

/**
 * The workspace and its editors are modules of their own beside the file of the chat, the same ones for both forms of it. They
 * must not bring a second React: they take the one that is noted here (see `vite.config.ts`).
 */
const HOST = Symbol.for('plinth.host');

/** Defines `<plinth-chat>`, unless it is defined already. @param file the address of the script that does it */
export function defineElement(file: string, name = 'plinth-chat'): void {
  if (customElements.get(name) !== undefined) return;
  Object.assign(globalThis, { [HOST]: { React, jsxRuntime } });
  const workspace = new URL('plinth.workspace.js', file).href;
  const load: LoadWorkspace = () => import(/* @vite-ignore */ workspace);
  customElements.define(name, createElementClass(load));
}
