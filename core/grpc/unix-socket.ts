import { lstat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';

/**
 * Makes way for a unix socket: removes one that a dead process left behind. Rejects with a sentence for the operator
 * when the path is anything else, or when a process listens there.
 */
export async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Error(`the gRPC socket ${path} cannot be read (${error.code})`);
  });
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error(`the gRPC socket ${path} exists and is not a socket. It was not changed`);
  if (await isListening(path)) throw new Error(`another process listens on the gRPC socket ${path}`);
  await unlink(path);
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve(false);
      else reject(new Error(`the gRPC socket ${path} cannot be opened (${error.code})`));
    });
  });
}
