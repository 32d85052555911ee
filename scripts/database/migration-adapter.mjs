/**
 * Prisma's `pg` adapter, made fit for migrations. It is written for queries, and two things are missing:
 * - it cuts a script at every `;`, also inside a function body; Postgres itself runs a whole script at once;
 * - it does not know the type `"char"`, which the catalogue of check constraints uses.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils';

const OID_CHAR = 18;
const OID_TEXT = 25;

export class MigrationAdapter extends PrismaPg {
  #connections = [];

  async connect() {
    const connection = fitForMigrations(await super.connect());
    this.#connections.push(connection);
    return connection;
  }

  /** The engine leaves its connections open; an open one would keep the process alive. */
  async close() {
    await Promise.allSettled(this.#connections.map((connection) => connection.dispose()));
  }
}

function fitForMigrations(connection) {
  const performIO = connection.performIO.bind(connection);

  connection.executeScript = async (script) => {
    try {
      await connection.underlyingDriver().query(script);
    } catch (error) {
      connection.onError(error);
    }
  };

  connection.queryRaw = async (query) => {
    const charColumns = [];
    connection.performIO = async (io) => {
      const result = await performIO(io);
      result.fields.forEach((field, index) => {
        if (field.dataTypeID !== OID_CHAR) return;
        charColumns.push(index);
        field.dataTypeID = OID_TEXT;
      });
      return result;
    };
    const result = await Object.getPrototypeOf(connection).queryRaw.call(connection, query);
    for (const index of charColumns) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  return connection;
}
