import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Secret } from '../../../core/base/values/secret.ts';

/** The end of a transaction as it is sent: BEGIN … READ COMMITTED is something else. */
export const commit = 'COMMIT\0';

/** A line to a PostgreSQL server that breaks when it is told, once. */
export async function startLine(to: Secret<string>) {
  let target = new URL(to.reveal());
  let wanted: { readonly text: string; readonly arrives: boolean } | undefined;
  let lost = 0;
  const sockets: Socket[] = [];
  const carry = (near: Socket) => {
    const far = connect(Number(target.port), target.hostname);
    let isBroken = false;
    near.on('error', () => far.destroy()).on('close', () => far.end());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.on('data', (data) => {
      if (wanted !== undefined && data.includes(wanted.text)) {
        isBroken = true;
        lost += 1;
        if (!wanted.arrives) far.destroy();
        wanted = undefined;
      }
      if (!far.destroyed) far.write(data);
    });
    sockets.push(near, far);
    far.on('data', (data) => (isBroken ? near.destroy() : near.write(data)));
  };
  const server = createServer(carry).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port was given');
  const url = new URL(target);
  url.port = String(address.port);
  return {
    url: new Secret(url.href),
    loseAnswerTo: (text: string) => {
      wanted = { text, arrives: true };
    },
    lose: (text: string) => {
      wanted = { text, arrives: false };
    },
    lost: () => lost,
    /** Nothing arrives at either end until it goes on. */
    hold: () => {
      for (const socket of sockets) socket.pause();
    },
    /** Leads to another server from now on; who is connected is cut off. */
    moveTo: (next: string) => {
      target = new URL(next);
      for (const socket of sockets) socket.destroy();
    },
    /** Takes no more connections. */
    close: () => void server.close(),
    goOn: () => {
      for (const socket of sockets) socket.resume();
    },
  };
}
