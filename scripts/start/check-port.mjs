/** Says that the port is taken before anything heavy is started. */
import { whyPortIsTaken } from '../lib/ports.mjs';
import { SetupProblem } from '../lib/problem.mjs';

export async function checkPort(port) {
  const reason = await whyPortIsTaken(port);
  if (!reason) return;
  const why = reason === 'EADDRINUSE' ? 'is in use by another program' : `cannot be opened (${reason})`;
  throw new SetupProblem(
    `Port ${port} ${why}.\n  Stop that program, or choose another port: PORT=3100 npm start`,
  );
}
