'use client';
import type { RecordedPlinth } from '@plinth/client/recording';
import type { ReactNode } from 'react';
import { PlinthProvider } from '../plinth-provider.js';

export {
  type CapturedAnswer,
  type CapturedSend,
  createRecordedPlinth,
  type PlayUntil,
  type RecordedPlinth,
  type RecordedPlinthOptions,
  type RecordedRun,
  type RecordedThread,
  type RecordOptions,
  recordThread,
} from '@plinth/client/recording';

export type RecordedPageProps = {
  recorded: RecordedPlinth;
  /** Which page of the recording; another one is made by `recorded.openPage()`. Default: the first. */
  plinth?: RecordedPlinth['plinth'];
  children?: ReactNode;
};

/** A page of a recorded thread: the provider that your components need. */
export function RecordedPage({ recorded, plinth = recorded.plinth, children }: RecordedPageProps) {
  return <PlinthProvider plinth={plinth}>{children}</PlinthProvider>;
}
