import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The gRPC address of a unix socket in a new folder of its own, which the system's temporary folder keeps. */
export function makeSocketAddress(): string {
  return `unix:${join(mkdtempSync(join(tmpdir(), 'tollfree-grpc-')), 'core.sock')}`;
}
