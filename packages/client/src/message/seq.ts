const PATTERN = /^(\d{1,15})-(\d{1,15})$/;

/**
 * Whether the entry `seq` stands behind `cursor` in its log; null when `seq` names no place.
 * The rules are those of `@plinth/protocol`; its code is not imported because zod would come with it.
 */
export function isAfter(seq: string, cursor: string | null): boolean | null {
  const place = PATTERN.exec(seq);
  if (!place) return null;
  const read = cursor === null ? null : PATTERN.exec(cursor);
  if (!read) return true;
  return (Number(place[1]) - Number(read[1]) || Number(place[2]) - Number(read[2])) > 0;
}
