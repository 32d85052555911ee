/** What the element loads with the first product: the workspace; its editors are chunks beside it. */
export { ElementWorkspace } from '../src/element/element-workspace.js';
