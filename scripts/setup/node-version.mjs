/**
 * Refuses a Node that is too old, in words. Every command loads this before anything else, so it keeps to a
 * syntax that old versions can read.
 */
const OLDEST = [20, 19];

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  console.error(
    `\nPlinth needs Node ${OLDEST.join('.')} or later (20, 22 or 24); this is ${process.version}.\n` +
      'Install a newer one (see .nvmrc) and run the same command again.\n',
  );
  process.exit(1);
}
