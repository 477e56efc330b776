import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { oneOfEach } from '../../support/run/rows-of-run.ts';
import { ticketWays } from './ticket-client.ts';
import { openTicketClientLab, type TicketClientLab } from './ticket-client-lab.ts';
import { ticketClients } from './ticket-clients.ts';

let lab: TicketClientLab;
beforeAll(async () => {
  lab = await openTicketClientLab();
});
afterAll(() => lab?.close());

const cells = ticketClients.flatMap((client) => client.arrives.map((way) => ({ client, name: client.name, way })));
const dropped = ticketClients.flatMap((client) =>
  (client.dropped ?? []).map((way) => ({ client, name: client.name, way })),
);

test.each(oneOfEach(cells, ({ name }) => name))(
  '$name: a ticket as $way arrives, with the policy, and the operation lands',
  ({ client, way }) => lab.expectArrives(client, way),
);

test.each(dropped)('$name: a ticket as $way does not arrive, and nothing is signed', ({ client, way }) =>
  lab.expectDropped(client, way),
);

describe('the table of the documentation', () => {
  const lines = readFileSync('docs/clients.md', 'utf8').split('\n');
  const head = lines.findIndex((line) => line.startsWith('| client | as `ticket`'));
  const rows = lines.slice(head + 2, lines.indexOf('', head)).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((text) => text.trim()),
  );

  test('has a row for each client', () => {
    // The last is too large to be installed with the others: `npm run test:alchemy`.
    const names = [...ticketClients.map(({ name }) => name), '`@account-kit/infra`, `alchemyGasManagerMiddleware`'];
    expect(rows.map(([name]) => name).sort()).toEqual(names.sort());
  });

  test.each(ticketClients)('says of $name what arrives', ({ name, arrives, policyName }) => {
    const [, ...columns] = rows.find(([first]) => first === name) ?? [];
    const named = ticketWays.filter((_, column) => columns[column] !== '–');
    expect(named).toEqual(arrives);
    expect(columns[3]).toContain(policyName ?? '–');
  });
});
