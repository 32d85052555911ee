/** The script of the CDN, with React in it: defines `<plinth-chat>` and the global `Plinth`. */
import './plinth.css';
import * as React from 'react';
import { defineElement } from './define-element.js';

export * from '@plinth/client';
export * from '../src/index.js';
/** React as the element uses it, for the host's own components. */
export { React };

// Known only while the script runs.
const file = (document.currentScript as HTMLScriptElement | null)?.src ?? document.baseURI;

export function definePlinthChat(name?: string): void {
  defineElement(file, name);
}

definePlinthChat();
