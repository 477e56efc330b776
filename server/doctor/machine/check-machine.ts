import { readFileSync, statfsSync, statSync } from 'node:fs';
import { freemem } from 'node:os';
import { dirname } from 'node:path';
import type { Config } from '../../config/config-schema.ts';
import { type Finding, findingsAbout } from '../finding.ts';

const mebibyte = 2 ** 20;
/** With less disk space, SQLite soon cannot write any more, in bytes. */
const leastDisk = 100 * mebibyte;
const enoughDisk = 1024 * mebibyte;
/** The service, plus once 256 MiB while a keystore is opened, in bytes. */
const enoughMemory = 512 * mebibyte;
/** Each connected client needs an open file. */
const enoughFiles = 4_096;

/** This machine's remaining disk, memory and open files. Tests replace `read`. */
export function checkMachine(config: Config, read: MachineReader = readMachine): readonly Finding[] {
  const find = findingsAbout('this machine');
  const folder = config.databaseFile === undefined ? process.cwd() : dirname(config.databaseFile);
  const disk = read.freeDisk(folder);
  const memory = read.freeMemory();
  const files = read.maxOpenFiles();
  const inMiB = (bytes: number) => `${Math.floor(bytes / mebibyte)} MiB`;
  return [
    disk >= enoughDisk
      ? find.ok('disk', `${inMiB(disk)} are free on the database’s disk.`)
      : find[disk < leastDisk ? 'failure' : 'warning'](
          'disk',
          `Only ${inMiB(disk)} are free on the database’s disk (${folder}).`,
          'Free space, or move the database. Lower decisions.keepDays so that it grows less.',
        ),
    memory >= enoughMemory
      ? find.ok('memory', `${inMiB(memory)} of memory are available.`)
      : find.warning(
          'memory',
          `Only ${inMiB(memory)} of memory are available; opening a keystore alone takes 256 MiB.`,
          'Give the service 512 MiB or more.',
        ),
    files === undefined || files >= enoughFiles
      ? find.ok('open-files', `A process may open ${files ?? 'enough'} files.`)
      : find.warning(
          'open-files',
          `A process may open only ${files} files, and each client uses one.`,
          'Raise it: LimitNOFILE=65536 in systemd, ulimit -n elsewhere.',
        ),
    ...checkFolder(config, folder),
  ];
}

type MachineReader = {
  /** Bytes that this user can still write in a folder. */
  freeDisk(folder: string): number;
  /** Bytes. */
  freeMemory(): number;
  maxOpenFiles(): number | undefined;
};

const readMachine: MachineReader = {
  freeDisk: (folder) => {
    const { bavail, bsize } = statfsSync(statSync(folder, { throwIfNoEntry: false }) === undefined ? '.' : folder);
    return bavail * bsize;
  },
  freeMemory: () => {
    const limit = process.constrainedMemory();
    const available = process.availableMemory();
    return limit > 0 ? Math.min(available, limit) : Math.max(available, freemem());
  },
  maxOpenFiles: () => {
    try {
      const limit = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
      return limit === undefined || limit === 'unlimited' ? undefined : Number(limit);
    } catch {
      // Only Linux has it.
      return undefined;
    }
  },
};

/** Anyone who may write to the folder can replace the service's database. */
function checkFolder(config: Config, folder: string): readonly Finding[] {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (process.platform === 'win32' || config.databaseFile === undefined || stats === undefined) return [];
  const isOpen = (stats.mode & 0o022) !== 0 && (stats.mode & 0o1000) === 0;
  const find = findingsAbout('this machine');
  if (!isOpen) return [find.ok('data-folder', 'No other user may write to the database’s folder.')];
  const message = `Other users may write to ${folder} and replace the database there.`;
  return [find.warning('data-folder', message, `Close it: chmod go-w ${folder}`)];
}
