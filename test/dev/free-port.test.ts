import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readDevOptions } from '../../server/dev/dev-options.ts';
import { choosePorts } from '../../server/dev/free-port.ts';

let holder: Server;
let taken: number;
beforeEach(async () => {
  holder = createServer();
  holder.listen(0, '127.0.0.1');
  await once(holder, 'listening');
  taken = (holder.address() as AddressInfo).port;
});
afterEach(async () => {
  holder.close();
  await once(holder, 'close');
});

const anyOthers = { grpcPort: '0', chainPort: '0', adminPort: '0', bundlerPort: '0' };

test('a usual port that is taken is replaced by one that is free, and the line says which and by which flag', async () => {
  const said: string[] = [];
  const usual = { ...readDevOptions(anyOthers), port: taken };
  const { port } = await choosePorts(usual, (line) => said.push(line));
  expect(port).toBeGreaterThan(taken);
  expect(said).toEqual([`Port ${taken} is taken: the HTTP interface uses ${port} (--port)`]);
});

test('a port that the developer named is refused when it is taken', async () => {
  const named = readDevOptions({ ...anyOthers, port: String(taken) });
  await expect(choosePorts(named, () => {})).rejects.toThrow(`Port ${taken} is taken. Use another one: --port`);
});

test('no port is given to two listeners', async () => {
  const ports = { port: taken, adminPort: taken, bundlerPort: taken, namedPorts: new Set<never>() };
  const usual = { ...readDevOptions(anyOthers), ...ports };
  const { port, adminPort, bundlerPort } = await choosePorts(usual, () => {});
  expect(new Set([taken, port, adminPort, bundlerPort]).size).toBe(4);
});

test('the port of the chain is not looked at when the developer has a node', async () => {
  const said: string[] = [];
  const flags = { ...anyOthers, port: '0', nodeUrl: 'http://127.0.0.1:1' };
  const { chainPort } = await choosePorts({ ...readDevOptions(flags), chainPort: taken }, (line) => said.push(line));
  expect([chainPort, said]).toEqual([taken, []]);
});
