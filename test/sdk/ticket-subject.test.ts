import { expect, test } from 'vitest';
import { ticketSubject } from '../../clients/sdk/tickets/ticket-subject.ts';
import { ticketUserDigest } from '../../core/tickets/ticket.ts';

test.each([
  [{ paymasterId: 'a', sub: 'u-1' }],
  [{ paymasterId: 'a', issuer: 'https://id.example.com', sub: 'u-1' }],
  [{ paymasterId: 'a', issuer: '', sub: 'Zoë "the" \u{1f600}' }],
  [{ paymasterId: 'a","b', sub: 'c' }],
])('the subject of %j is the one that the service stores', async (user) => {
  expect(await ticketSubject(user)).toBe(ticketUserDigest(user));
});
