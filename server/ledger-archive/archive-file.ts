import { createHash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { syncFolder } from '../../core/store/sqlite/backup/sync-folder.ts';

/**
 * A file of archived rows: gzip of JSON lines. Each batch is a gzip member of its own, which ends with a line that names the batch,
 * its rows, and the SHA-256 of the batch before it and of its own rows. The member's header says how long it is (an extra field
 * `TF`, RFC 1952), so that a batch that was cut off is found.
 */
export type ArchiveFile = {
  /** The rows of the last batch, which may not be deleted from the ledger yet; empty for a new file. */
  readonly lastRows: string;
  /** Writes a batch. It is on the disk when this returns. */
  append(rows: string): void;
  close(): void;
};

/** A gzip header with an extra field of 8 bytes: `TF`, its length, and that of the whole member. */
const header = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 8, 0, 0x54, 0x46, 4, 0]);
const headerLength = header.length + 4;
/** Length of the header that `gzipSync` writes. */
const plainHeaderLength = 10;
/** What a batch of 200 rows can have at most is far less. */
const maxMemberBytes = 64 * 1024 * 1024;

const EndSchema = z.strictObject({
  end: z.int().min(1),
  rows: z.int().min(0),
  sha256: z.string().length(64),
});
type End = z.output<typeof EndSchema>;

/** A batch of a file: its rows as text, and its last line. */
export type Batch = { readonly rows: string; readonly end: End };

/** Opens an archive to add to it, or makes one. What a writer that was killed has left of a batch is cut off. */
export function openArchive(file: string): ArchiveFile {
  const isNew = !existsSync(file);
  const handle = openSync(file, isNew ? 'wx+' : 'r+', 0o600);
  try {
    const { last, length } = readToEnd(file, handle);
    ftruncateSync(handle, length);
    if (isNew) syncFolder(file);
    return writerOf(handle, last, length);
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

function writerOf(handle: number, last: Batch | undefined, start: number): ArchiveFile {
  let [end, length] = [last?.end, start];
  return {
    lastRows: last?.rows ?? '',
    append: (rows) => {
      end = endOf(end, rows);
      const member = toMember(`${rows}${JSON.stringify(end)}\n`);
      for (let written = 0; written < member.length; ) {
        written += writeSync(handle, member, written, member.length - written, length + written);
      }
      fsyncSync(handle);
      length += member.length;
    },
    close: () => closeSync(handle),
  };
}

/** Reads all batches of an archive, and checks each. Throws a `CliError` for what is not as it was written. */
export function* readArchive(file: string): Generator<Batch> {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    let before: End | undefined;
    for (let at = 0; at < size; ) {
      const member = readMember(handle, at, size);
      const batch = member && readBatch(member);
      if (member === undefined || batch === undefined || !follows(before, batch)) {
        throw mistake(`The archive ${file} is damaged: the batch after batch ${before?.end ?? 0} cannot be read.`);
      }
      yield batch;
      before = batch.end;
      at += member.length;
    }
  } finally {
    closeSync(handle);
  }
}

/** The last whole batch and where it ends. */
function readToEnd(file: string, handle: number): { readonly last: Batch | undefined; readonly length: number } {
  const { size } = fstatSync(handle);
  let length = 0;
  let last: Batch | undefined;
  for (;;) {
    const member = readMember(handle, length, size);
    const batch = member && readBatch(member);
    if (member === undefined || batch === undefined || !follows(last?.end, batch)) break;
    last = batch;
    length += member.length;
  }
  if (last === undefined && size > 0 && !startsAsArchive(handle, size)) {
    throw mistake(`The file ${file} is no archive of a ledger. Name a new file.`);
  }
  return { last, length };
}

/** Of a file whose first batch was cut off. */
function startsAsArchive(handle: number, size: number): boolean {
  const start = Buffer.alloc(Math.min(size, header.length));
  readSync(handle, start, 0, start.length, 0);
  return start.equals(header.subarray(0, start.length));
}

function readMember(handle: number, at: number, size: number): Buffer | undefined {
  if (at + headerLength > size) return undefined;
  const start = Buffer.alloc(headerLength);
  readSync(handle, start, 0, headerLength, at);
  if (!start.subarray(0, header.length).equals(header)) return undefined;
  const length = start.readUInt32LE(header.length);
  if (length <= headerLength || length > maxMemberBytes || at + length > size) return undefined;
  const member = Buffer.alloc(length);
  readSync(handle, member, 0, length, at);
  return member;
}

function readBatch(member: Buffer): Batch | undefined {
  try {
    const text = gunzipSync(member).toString('utf8');
    const start = text.lastIndexOf('\n', text.length - 2) + 1;
    const end = EndSchema.safeParse(JSON.parse(text.slice(start)));
    return end.success ? { rows: text.slice(0, start), end: end.data } : undefined;
  } catch {
    return undefined;
  }
}

function toMember(text: string): Buffer {
  const body = gzipSync(text).subarray(plainHeaderLength);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(headerLength + body.length);
  return Buffer.concat([header, length, body]);
}

function endOf(before: End | undefined, rows: string): End {
  const sha256 = createHash('sha256')
    .update(`${before?.sha256 ?? ''}\n${rows}`)
    .digest('hex');
  return { end: (before?.end ?? 0) + 1, rows: rows.split('\n').length - 1, sha256 };
}

function follows(before: End | undefined, { rows, end }: Batch): boolean {
  const expected = endOf(before, rows);
  return end.end === expected.end && end.rows === expected.rows && end.sha256 === expected.sha256;
}
