import { describeAttachmentSource } from '@plinth/testkit';
import { ImageImporter } from '../src/images/image-importer.js';
import { StoredAttachments } from '../src/uploads/stored-attachments.js';
import { Uploads } from '../src/uploads/uploads.js';
import { quartered } from './images/corpus.js';
import { openPipelines } from './images/pipeline-fixture.js';
import { outboundTo, startPeer } from './outbound-fixture.js';

describeAttachmentSource('Postgres, disk and the web', async () => {
  const fixture = await openPipelines();
  const { database, clock, ids, artifacts, ledger } = fixture;
  const png = await quartered().png().toBuffer();
  const site = await startPeer((request, response) => {
    if (request.url !== '/green%20tea.png') response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'image/png' }).end(png);
  });
  const outbound = outboundTo([`127.0.0.1:${site.port}`]);
  const uploads = new Uploads(database, clock, ids);
  const importer = new ImageImporter({ outbound, database, artifacts, clock });
  return {
    source: new StoredAttachments(database, uploads, importer),
    ledger,
    tenants: [await fixture.addTenant(), await fixture.addTenant()],
    addUpload: async (tenant, endUserId, file) => (await uploads.add(tenant, endUserId, file)).id,
    addPicture: async () => ({
      url: `${site.url}/green%20tea.png`,
      title: 'green tea.png',
      sizeBytes: png.byteLength,
      mimeType: 'image/png',
    }),
    noPicture: `${site.url}/none.png`,
    now: () => clock.now(),
    pass: (milliseconds) => clock.advance(milliseconds),
    async close() {
      await site.close();
      await fixture.close();
    },
  };
});
