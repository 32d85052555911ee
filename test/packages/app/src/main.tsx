import '@plinth/react/ui/styles.css';
import { definePlinthChat } from '@plinth/react/element';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App, makePlinth } from './app.js';

definePlinthChat();
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
const token = new URLSearchParams(location.search).get('token') ?? '';
const app = <App plinth={makePlinth(() => token)} />;
const isRendered = root.firstElementChild !== null;
if (isRendered) hydrateRoot(root, app, { onRecoverableError: (error) => console.error('mismatch', error) });
else createRoot(root).render(app);
