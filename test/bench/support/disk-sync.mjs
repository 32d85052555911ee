/** What it costs here to have a write on the disk: the part of a commit that no program can save. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** As Postgres counts: one page of its log. */
const PAGE_BYTES = 8192;
const PAGES = 64;

/** Milliseconds of write and fdatasync on the disk where the benchmark's Postgres has its data. */
export function measureSync(times) {
  const directory = mkdtempSync(join(tmpdir(), 'plinth-sync-'));
  const file = openSync(join(directory, 'log'), 'w');
  const page = Buffer.alloc(PAGE_BYTES, 'plinth');
  const samples = [];
  try {
    // The file is made first, as a segment of the log is: growing it would cost more than writing into it.
    for (let i = 0; i < PAGES; i += 1) writeSync(file, page, 0, PAGE_BYTES, i * PAGE_BYTES);
    fdatasyncSync(file);
    for (let i = 0; i < times; i += 1) {
      const began = performance.now();
      writeSync(file, page, 0, PAGE_BYTES, (i % PAGES) * PAGE_BYTES);
      fdatasyncSync(file);
      samples.push(performance.now() - began);
    }
  } finally {
    closeSync(file);
    rmSync(directory, { recursive: true, force: true });
  }
  return samples;
}

/** Milliseconds of the smallest transaction that Postgres has to wait for the disk with. */
export async function measureCommit(adminUrl, times) {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const samples = [];
  try {
    await client.query('CREATE TABLE bench_commit (n int)');
    for (let i = 0; i < times; i += 1) {
      const began = performance.now();
      await client.query('INSERT INTO bench_commit VALUES (1)');
      samples.push(performance.now() - began);
    }
    await client.query('DROP TABLE bench_commit');
  } finally {
    await client.end();
  }
  return samples;
}
