import { openHandle } from '../../../core/store/sqlite/open-handle.ts';

/** What a table or index takes on the disk, in bytes, and of tables how many rows it has. */
export type StoredSize = {
  readonly name: string;
  readonly table: string;
  readonly bytes: number;
  readonly rows?: number;
};

/** Every table and index of a database, the largest first. */
export function readSizes(file: string): readonly StoredSize[] {
  const database = openHandle(file);
  const sizes = database
    .prepare(
      `SELECT dbstat.name AS name, coalesce(tbl_name, dbstat.name) AS "table", sum(pgsize) AS bytes
      FROM dbstat LEFT JOIN sqlite_schema ON sqlite_schema.name = dbstat.name GROUP BY 1 ORDER BY 3 DESC`,
    )
    .all() as { name: string; table: string; bytes: number }[];
  const withRows = sizes.map((size) =>
    size.name === size.table
      ? { ...size, rows: database.prepare(`SELECT count(*) FROM "${size.name}"`).pluck().get() as number }
      : size,
  );
  database.close();
  return withRows;
}
