/** How far the write-ahead log of Postgres has got, to tell how much of it something wrote. */
import pg from 'pg';

export async function watchWriteAheadLog(adminUrl) {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  let last = null;
  return {
    /** Bytes written by the whole server since the last call. */
    async take() {
      const { rows } = await client.query("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS at");
      const at = Number(rows[0].at);
      const bytes = last === null ? 0 : at - last;
      last = at;
      return bytes;
    },
    close: () => client.end(),
  };
}
