'use client';
export { PlinthInspector, type PlinthInspectorProps } from './plinth-inspector.js';
