import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { base64url, SignJWT } from 'jose';
import { formatGwei, parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  incrementsOf,
  newSmartAccount,
  nextOperation,
  type SmartAccount,
  targetCall,
} from '../support/chain/chain-lab.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, prefundOf, withAnswer } from '../support/service/chain-sponsorship.ts';
import { fundedTank, type ProductionTank } from '../support/service/production-tank.ts';
import { signTicket } from '../support/service/ticket-lab.ts';
import { useProductionService } from '../support/service/use-production-service.ts';
import { bundleAlone } from './measure-attack.ts';

/** Senders that the attacker has; `ATTACK_OPERATIONS=1000` gives him as many and prints what each attack moved. */
const count = Number(process.env.ATTACK_OPERATIONS ?? 20);
const atOnce = 50;
/** Milliseconds for a test: a paymaster takes so many requests in a second. */
const timeout = 60_000 + count * 300;
const version = '0.8';

const service = useProductionService();
const rows: object[] = [];
afterAll(() => {
  if (process.env.ATTACK_OPERATIONS !== undefined) console.table(rows);
});

/** Of the paymaster whose URL is published: it sponsors anyone who has a ticket, or anybody. */
type Tank = ProductionTank & { ticket(claims?: Readonly<Record<string, unknown>>): Promise<string> };

async function openTank(policy: object = { requireTicket: true }): Promise<Tank> {
  const tank = await fundedTank(service(), { family: version, amount: parseEther('100'), policy });
  const { management, paymasterId } = tank;
  const { secret } = await management.createTicketKey({ paymasterId, name: 'backend', kind: 'EDDSA' });
  const exp = Math.floor(Date.now() / 1_000) + 3_600;
  return { ...tank, ticket: (claims) => signTicket(secret ?? {}, { aud: paymasterId, exp, ...claims }) };
}

type Mine = { readonly account: SmartAccount; readonly operation: DevUserOperation };

async function newOperation(): Promise<Mine> {
  const { devnet } = service();
  const account = newSmartAccount(version);
  return { account, operation: await nextOperation(devnet, account, [targetCall(devnet, 'increment')]) };
}

type Outcome = {
  readonly signed: number;
  /** What the signatures could cost at most, in wei. */
  readonly granted: bigint;
  /** What they did cost when the attacker landed them, in wei. */
  readonly lost: bigint;
  readonly reasons: readonly string[];
};

/** Asks again while there are more requests than the paymaster takes in a second. */
function insist(ask: () => ReturnType<typeof askSponsorship>): ReturnType<typeof askSponsorship> {
  const answered = async () => {
    const answer = await ask();
    expect(answer.reason).not.toBe('RATE_LIMITED');
    return answer;
  };
  return vi.waitFor(answered, { timeout: 60_000, interval: 200 });
}

/** Asks for operations of as many senders, many at once and each from an address of its own, and lands what is signed. */
async function attack(name: string, tank: Tank, ticketFor: (nth: number) => string | undefined): Promise<Outcome> {
  const { devnet } = service();
  const operations: DevUserOperation[] = [];
  const reasons = new Set<string>();
  let granted = 0n;
  const ask = async (nth: number) => {
    const { account, operation } = await newOperation();
    const client = `10.${nth >> 16}.${(nth >> 8) & 255}.${nth & 255}`;
    const answer = await insist(() => askSponsorship(tank.rpcUrl, operation, { ticket: ticketFor(nth), client }));
    if (answer.httpStatus !== 200) return void reasons.add(answer.reason ?? '');
    const signed = signedAnswer(answer);
    granted += prefundOf(operation, signed);
    operations.push(await signUserOperation(devnet, withAnswer(operation, signed), account.owner));
  };
  for (let first = 0; first < count; first += atOnce) {
    const nths = Array.from({ length: Math.min(atOnce, count - first) }, (_, index) => first + index);
    await Promise.all(nths.map(ask));
  }
  const lost = operations.length === 0 ? 0n : (await bundleAlone(devnet, { tank, operations })).lost;
  const outcome = { signed: operations.length, granted, lost, reasons: [...reasons].sort() };
  rows.push({ attack: name, asked: count, signed: outcome.signed, 'lost, gwei': formatGwei(lost) });
  return outcome;
}

const nothing = { signed: 0, granted: 0n, lost: 0n };
const heldOf = async ({ management, apiKey }: Tank) => BigInt((await management.readGasTank({ apiKey })).held);

describe('with the URL alone', { timeout }, () => {
  test('anybody spends where no ticket is asked for', async () => {
    const { signed, lost } = await attack('no ticket, none asked for', await openTank({}), () => undefined);
    expect(signed).toBe(count);
    expect(lost).toBeGreaterThan(0n);
  });

  test('no one spends anything where one is', async () => {
    const tank = await openTank();
    const outcome = await attack('no ticket', tank, () => undefined);
    expect(outcome).toEqual({ ...nothing, reasons: ['TICKET_REQUIRED'] });
    expect(await heldOf(tank)).toBe(0n);
  });
});

describe('with one ticket and many senders', { timeout }, () => {
  let tank: Tank;
  beforeAll(async () => {
    tank = await openTank();
  });

  test('all of them are sponsored where the ticket has no bound', async () => {
    const ticket = await tank.ticket();
    const { signed } = await attack('one ticket without bounds', tank, () => ticket);
    expect(signed).toBe(count);
  });

  test('one of them is where it has one use', async () => {
    const ticket = await tank.ticket({ jti: 'one', uses: 1 });
    const { signed, granted, lost, reasons } = await attack('one ticket of one use', tank, () => ticket);
    expect([signed, reasons]).toEqual([1, ['TICKET_USED_UP']]);
    expect(lost).toBeLessThanOrEqual(granted);
  });

  test('no more than its budget goes', async () => {
    const { operation } = await newOperation();
    const one = prefundOf(
      operation,
      signedAnswer(await askSponsorship(tank.rpcUrl, operation, { ticket: await tank.ticket() })),
    );
    const budget = 4n * one;
    const ticket = await tank.ticket({ jti: 'budget', budget: { wei: budget.toString() } });
    const { signed, granted, lost, reasons } = await attack('one ticket with a budget', tank, () => ticket);
    expect(signed).toBeGreaterThan(0);
    expect(granted).toBeLessThanOrEqual(budget);
    expect(lost).toBeLessThanOrEqual(budget);
    expect(reasons).toEqual(['TICKET_USED_UP']);
  });
});

describe('with a stolen ticket', { timeout }, () => {
  test('the thief spends it on his own senders where it names none', async () => {
    const tank = await openTank();
    const stolen = await tank.ticket({ jti: 'mine', uses: 1 });
    expect((await attack('stolen, for any sender', tank, () => stolen)).signed).toBe(1);
  });

  test('nothing is spent where it names its sender, and who it was stolen from still can', async () => {
    const tank = await openTank();
    const victim = await newOperation();
    const stolen = await tank.ticket({ jti: 'mine', uses: 1, sender: victim.operation.sender });
    const outcome = await attack('stolen, for its sender', tank, () => stolen);
    expect(outcome).toEqual({ ...nothing, reasons: ['TICKET_NOT_FOR_OPERATION'] });
    expect(await heldOf(tank)).toBe(0n);
    expect((await askSponsorship(tank.rpcUrl, victim.operation, { ticket: stolen })).httpStatus).toBe(200);
  });

  test('asking in the name of its sender takes the use away for a while, and spends nothing', async () => {
    const { devnet } = service();
    const tank = await openTank();
    const { operation } = await newOperation();
    const stolen = await tank.ticket({ jti: 'mine', uses: 1, sender: operation.sender });
    const other = { ...operation, nonce: 1n << 64n };
    const taken = signedAnswer(await askSponsorship(tank.rpcUrl, other, { ticket: stolen }));
    const forged = await signUserOperation(devnet, withAnswer(other, taken), newSmartAccount(version).owner);
    expect(await bundleAlone(devnet, { tank, operations: [forged] })).toMatchObject({ landed: false, lost: 0n });
    expect(await askSponsorship(tank.rpcUrl, operation, { ticket: stolen })).toMatchObject({
      reason: 'TICKET_USED_UP',
    });
    expect(await incrementsOf(devnet, operation.sender)).toBe(0n);
  });
});

describe('with tickets of his own making', { timeout }, () => {
  let tank: Tank;
  let good: string;
  let own: KeyObject;
  beforeAll(async () => {
    tank = await openTank();
    good = await tank.ticket();
    own = generateKeyPairSync('ed25519').privateKey;
  });

  const encode = (value: object) => base64url.encode(JSON.stringify(value));
  const parts = () => {
    const [head = '', body = '', signature = ''] = good.split('.');
    const header: { readonly kid: string } = JSON.parse(new TextDecoder().decode(base64url.decode(head)));
    return { head, body, signature, kid: header.kid };
  };
  const ownTicket = (header: object, claims: object = {}) => {
    const exp = Math.floor(Date.now() / 1_000) + 3_600;
    const jwt = new SignJWT({ sub: 'mallory', aud: tank.paymasterId, exp, ...claims });
    return jwt.setProtectedHeader({ alg: 'EdDSA', ...header }).sign(own);
  };

  const made: Readonly<Record<string, readonly [reason: string, make: () => string | Promise<string>]>> = {
    'alg none': ['TICKET_ALGORITHM_NOT_ALLOWED', () => `${encode({ alg: 'none' })}.${parts().body}.`],
    'alg none under our kid': [
      'TICKET_ALGORITHM_NOT_ALLOWED',
      () => `${encode({ alg: 'none', kid: parts().kid })}.${parts().body}.${parts().signature}`,
    ],
    'his own key': ['TICKET_SIGNATURE_WRONG', () => ownTicket({})],
    'his own key under our kid': ['TICKET_SIGNATURE_WRONG', () => ownTicket({ kid: parts().kid })],
    'his own key in the header': [
      'TICKET_SIGNATURE_WRONG',
      () => ownTicket({ kid: parts().kid, jwk: own.export({ format: 'jwk' }) }),
    ],
    'an unknown key': ['TICKET_KEY_NOT_KNOWN', () => ownTicket({ kid: 'mallory' })],
    'a token for a logout': ['TICKET_MALFORMED', () => ownTicket({ kid: parts().kid, typ: 'logout+jwt' })],
    'a good one with another body': [
      'TICKET_SIGNATURE_WRONG',
      () =>
        `${parts().head}.${encode({ sub: 'mallory', aud: tank.paymasterId, exp: 4_000_000_000 })}.${parts().signature}`,
    ],
    'no end': ['TICKET_SIGNATURE_WRONG', () => ownTicket({ kid: parts().kid }, { exp: undefined })],
  };

  test.each(Object.entries(made))('nothing is spent: %s', async (name, [reason, make]) => {
    const ticket = await make();
    const outcome = await attack(`own making: ${name}`, tank, () => ticket);
    expect(outcome).toEqual({ ...nothing, reasons: [reason] });
    expect(await heldOf(tank)).toBe(0n);
  });
});
