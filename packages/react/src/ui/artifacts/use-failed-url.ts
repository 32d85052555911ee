import { useState } from 'react';

/**
 * Whether the browser has refused what is at this address, and how to tell. Its time may be over, so a new one is asked
 * for; when that one works, nothing has failed.
 */
export function useFailedUrl(url: string | null, onUrlFailed: () => void): [boolean, () => void] {
  const [refused, setRefused] = useState<string | null>(null);
  const fail = () => {
    setRefused(url);
    onUrlFailed();
  };
  return [refused !== null && refused === url, fail];
}
