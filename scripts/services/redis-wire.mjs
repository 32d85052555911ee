/** Says a few words to a Redis without a client library; enough to ask whether it is there and to stop it. */
import { connect } from 'node:net';

/** Sends inline commands after the password; resolves with the text of the last reply, or null without one. */
export function askRedis({ port, password, commands, patienceMs = 2_000 }) {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    let received = '';
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.on('connect', () => socket.write([`AUTH ${password}`, ...commands, 'QUIT', ''].join('\r\n')));
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      const replies = received.trim().split('\r\n');
      const understood = replies[0] === '+OK' && replies.length > commands.length;
      resolve(understood ? replies[commands.length] : null);
    });
  });
}
