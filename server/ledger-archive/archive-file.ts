import { createHash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { syncFolder } from '../../core/store/sqlite/backup/copy-database.ts';

/**
 * A file of archived rows: gzip of JSON lines. Each batch is a separate gzip member that ends with a line naming the batch,
 * its number of rows, and the SHA-256 of the previous batch and of its own rows. The member's header contains its length (an
 * extra field `TF`, RFC 1952), so that a truncated batch is detected.
 */
export type ArchiveFile = {
  /** The rows of the last batch, which may not be deleted from the ledger yet; empty for a new file. */
  readonly lastRows: string;
  /** Writes a batch. It is on disk when this returns. */
  append(rows: string): void;
  close(): void;
};

/** A gzip header with an extra field of 8 bytes: `TF`, its length, and the length of the whole member. */
const header = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 8, 0, 0x54, 0x46, 4, 0]);
const headerLength = header.length + 4;
/** Length of the header that `gzipSync` writes. */
const plainHeaderLength = 10;
/** Far above the size of a batch of 100 rows. */
const maxMemberBytes = 64 * 1024 * 1024;

const EndSchema = z.strictObject({
  end: z.int().min(1),
  rows: z.int().min(0),
  sha256: z.string().length(64),
});
type End = z.output<typeof EndSchema>;

/** A batch of a file: its rows as text, and its last line. */
type Batch = { readonly rows: string; readonly end: End };

/** Opens an archive for appending, or creates one. An incomplete batch from a killed writer is cut off. */
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

/** Reads and checks all batches of an archive. Throws a `CliError` for unexpected content. */
export function* readArchive(file: string): Generator<Batch> {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    let before: End | undefined;
    for (let at = 0; at < size; ) {
      const member = readMember(handle, at, size);
      const batch = member && readBatch(member);
      if (member === undefined || batch === undefined || !follows(before, batch)) {
        throw mistake(damaged(file, before?.end ?? 0));
      }
      yield batch;
      before = batch.end;
      at += member.length;
    }
  } finally {
    closeSync(handle);
  }
}

/**
 * The last complete batch and its end. An incomplete one from a killed writer may follow; any other damage throws a
 * `CliError`. Batches before the last two are skipped: there can be many gigabytes.
 */
function readToEnd(file: string, handle: number): { readonly last: Batch | undefined; readonly length: number } {
  const { size } = fstatSync(handle);
  const starts: number[] = [];
  let length = 0;
  for (let next = lengthAt(handle, 0, size); next !== undefined; next = lengthAt(handle, length, size)) {
    if (length + next > size) break;
    starts.push(length);
    length += next;
  }
  if (!isPart(handle, length, size)) throw mistake(notAnArchive(file, length));
  const [before, last] = [starts.at(-2), starts.at(-1)].map((at) =>
    at === undefined ? undefined : batchAt(handle, at),
  );
  if (last === undefined) {
    // A batch is only deleted from the ledger once it is on disk, so an unreadable one was never confirmed.
    if (starts.length > 1 && before === undefined) throw mistake(damaged(file, starts.length - 2));
    return { last: before, length: starts.at(-1) ?? 0 };
  }
  if (starts.length > 1 && !(before !== undefined && follows(before.end, last))) {
    throw mistake(damaged(file, starts.length - 1));
  }
  return { last, length };
}

function batchAt(handle: number, at: number): Batch | undefined {
  const member = readMember(handle, at, fstatSync(handle).size);
  return member && readBatch(member);
}

/** Whether the end only contains the start of a batch. */
function isPart(handle: number, at: number, size: number): boolean {
  if (at === size) return true;
  const start = Buffer.alloc(Math.min(size - at, header.length));
  readSync(handle, start, 0, start.length, at);
  return start.equals(header.subarray(0, start.length)) && (lengthAt(handle, at, size) ?? size) > size - at;
}

function damaged(file: string, batch: number): string {
  return `The archive ${file} is damaged: the batch after batch ${batch} cannot be read. Keep it, and name a new file.`;
}

function notAnArchive(file: string, length: number): string {
  return length === 0 ? `The file ${file} is no archive of a ledger. Name a new file.` : damaged(file, 0);
}

/** The length in a member's header; undefined if there is none. */
function lengthAt(handle: number, at: number, size: number): number | undefined {
  if (at + headerLength > size) return undefined;
  const start = Buffer.alloc(headerLength);
  readSync(handle, start, 0, headerLength, at);
  if (!start.subarray(0, header.length).equals(header)) return undefined;
  const length = start.readUInt32LE(header.length);
  return length <= headerLength || length > maxMemberBytes ? undefined : length;
}

function readMember(handle: number, at: number, size: number): Buffer | undefined {
  const length = lengthAt(handle, at, size);
  if (length === undefined || at + length > size) return undefined;
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
