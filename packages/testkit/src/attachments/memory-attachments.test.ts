import type { TenantId } from '@plinth/protocol';
import { anId } from '../ledger/builders.js';
import { MemoryLedger } from '../ledger/memory-ledger.js';
import { ManualClock } from '../redis/manual-clock.js';
import { describeAttachmentSource } from './describe-attachment-source.js';
import { MemoryAttachments } from './memory-attachments.js';

describeAttachmentSource('in memory', async () => {
  const clock = new ManualClock();
  const ledger = new MemoryLedger(clock);
  const source = new MemoryAttachments(ledger, clock);
  const tenant = (id: string) => ({ id: id as TenantId, agentVersionId: anId<never>('agentVersion') });
  return {
    source,
    ledger,
    tenants: [tenant('ten_acme'), tenant('ten_bolt')],
    addUpload: async (id, endUserId, file) => source.upload(id, endUserId, file),
    async addPicture() {
      const named = { title: 'tea.png', sizeBytes: 7, mimeType: 'image/png' };
      const url = 'https://pictures.test/tea.png';
      source.pictures.set(url, { ...named, kind: 'image', storageKey: 'place', sha256: 'hash' });
      return { url, ...named };
    },
    noPicture: 'https://pictures.test/none.png',
    now: () => clock.now(),
    pass: (milliseconds) => clock.advance(milliseconds),
    close: async () => {},
  };
});
