import { PlinthError } from '@plinth/protocol';

const TAG = /^"([1-9]\d{0,8})"$/;

/** The entity tag of an artifact's version (RFC 9110, 8.8.3): strong, for a version's bytes never change. */
export function versionTag(version: number): string {
  return `"${version}"`;
}

/**
 * The version that a change was made on, from its `If-Match`. `*` and weak tags are refused: a change that is made on no
 * version in particular overwrites what nobody has seen.
 *
 * @param newest named in what is answered to who sent none
 * @throws PlinthError `artifact_revision_required`, `invalid_request`
 */
export function requiredVersion(ifMatch: string | undefined, newest: number): number {
  if (ifMatch === undefined || ifMatch.trim() === '')
    throw new PlinthError(
      'artifact_revision_required',
      `Name the version that was changed: If-Match: ${versionTag(newest)} is the newest.`,
      { version: newest },
    );
  const [, version] = TAG.exec(ifMatch.trim()) ?? [];
  if (version === undefined)
    throw new PlinthError('invalid_request', 'If-Match: send one version in quotes, such as "3".', {}, [
      { path: 'if-match', message: 'one version in quotes, such as "3"' },
    ]);
  return Number(version);
}
