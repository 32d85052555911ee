import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { App, makePlinth } from './app.js';

const app = <App plinth={makePlinth(() => '')} />;
const text = renderToString(app);
const { pipe } = renderToPipeableStream(app, {
  onAllReady() {
    process.stdout.write(`${text}\n<!--streamed-->\n`);
    pipe(process.stdout);
  },
});
