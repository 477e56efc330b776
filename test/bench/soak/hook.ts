import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A webhook that allows everything, in a process of its own: one that shares a loop with what makes the load answers too late.
 * Posts where it is, and to any message how often it was called.
 */
let calls = 0;
const server = createServer((request, response) => {
  calls += 1;
  request.resume().on('end', () => response.end('{"arePoliciesVerified":true}'));
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
});
process.on('message', () => process.send?.(calls));
process.once('disconnect', () => process.exit(0));
