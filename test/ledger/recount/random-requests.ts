import { type Address, type Hex, numberToHex, pad } from 'viem';
import type { HoldCaps } from '../../../core/domain/chain-config.ts';
import type { Refusal } from '../../../core/domain/result/refusal.ts';
import type {
  HoldRequest,
  Landing,
  RequestTicket,
  TankKey,
  VendorAsk,
} from '../../../core/ledger/holds/hold-request.ts';
import { calledKey } from '../../../core/policies/called-limits.ts';
import type { Ruling } from '../../../core/policies/rules/ruling.ts';
import { numberedAddress, plenty } from '../../support/core/ledger-lab.ts';
import { keyOwner } from './model.ts';
import type { Asked, Operation } from './operations.ts';
import { coin, contracts, type Tenant, tenants, timeOf, type World, weiBetween } from './world.ts';

/** A request with the rulings that the service has recorded with its hold. */
export type Sent = Asked & { readonly heard: { rulings: readonly Ruling[] } };

const senders = [0xa1, 0xa2, 0xa3, 0xa4].map(numberedAddress);
const why: Refusal = { reason: 'INSUFFICIENT_FUNDS', message: 'The tank is empty.' };
const endOfTime = 2 ** 48 - 1;

const caps: readonly HoldCaps[] = [
  {
    maxOpenHoldsPerSender: 3,
    maxShareOfTankPerSender: 0.3,
    maxOpenHoldsPerClient: 5,
    maxShareOfTankPerClient: 0.5,
    maxShareOfTankWithoutExpiry: 0.3,
    maxShareOfTankLastingLong: 0.2,
  },
  {
    maxOpenHoldsPerSender: 20,
    maxShareOfTankPerSender: 0.05,
    maxOpenHoldsPerClient: 40,
    maxShareOfTankPerClient: 0.1,
    maxShareOfTankWithoutExpiry: 0.1,
    maxShareOfTankLastingLong: 0.02,
  },
];

/** Where a request comes to the chain, and what its operation is. */
type Place = Pick<HoldRequest, 'tank' | 'policy' | 'sender' | 'nonce'> & {
  readonly tenant: Tenant;
  readonly isRelayed: boolean;
  /** How often it asks another paymaster, in percent. */
  readonly asksVendor?: number;
};

/** A new request, the same again, or another for the place of an operation that is known or of one in the batch. */
export function nextRequest(world: World, batch: readonly Sent[]): Sent {
  const { random, model } = world;
  const recent = model.operations.slice(-12);
  const last = batch.at(-1);
  if (last !== undefined && random.chance(20)) return requestAt(world, placeOfRequest(last.request));
  const answered = recent.filter(({ state, vendor }) => state === 'live' && vendor?.isAnswered === true);
  if (answered.length > 0 && random.chance(25)) return requestAt(world, placeOfOperation(random.pick(answered)));
  if (recent.length > 0 && random.chance(35)) return requestAt(world, placeOfOperation(random.pick(recent)));
  return requestAt(world, freshPlace(world));
}

function placeOfRequest({ tank, policy, sender, nonce, landing, vendor }: HoldRequest): Place {
  const isRelayed = landing?.relayed !== undefined;
  const asksVendor = vendor === undefined ? 15 : 60;
  return { tank, policy, sender, nonce, tenant: tenantOf(policy.paymasterId), isRelayed, asksVendor };
}

function placeOfOperation({
  chainId,
  contract,
  wallet,
  paymasterId,
  policyId,
  sender,
  nonce,
  vendor,
}: Operation): Place {
  const tenant = tenantOf(paymasterId);
  // The stored texts are those of addresses.
  const tank = { chainId, contract, wallet } as TankKey;
  const isRelayed = contract === tenant.relay?.contract;
  const asksVendor = vendor === undefined ? 15 : 60;
  const policy = { paymasterId, policyId };
  return { tank, policy, sender: sender as Address, nonce, tenant, isRelayed, asksVendor };
}

function tenantOf(paymasterId: string): Tenant {
  const found = tenants.find((tenant) => tenant.paymasterId === paymasterId);
  if (found === undefined) throw new Error(`There is no paymaster ${paymasterId}.`);
  return found;
}

function freshPlace({ random, policies, step }: World): Place {
  const tenant = random.pick(tenants);
  const isRelayed = tenant.relay !== undefined && random.chance(30);
  const tank = isRelayed && tenant.relay !== undefined ? tenant.relay : tenant.tank;
  const { paymasterId } = tenant;
  // One of some policies of the first paymaster, which may be gone.
  const isNamed = tenant === tenants[0] && policies > 0 && random.chance(35);
  const policyId = isNamed ? policyIdOf(Math.max(1, policies - (random.chance(10) ? 1 : 0))) : '';
  const nonce = BigInt(random.below(5) + Math.floor(step / 8));
  return { tank, policy: { paymasterId, policyId }, sender: random.pick(senders), nonce, tenant, isRelayed };
}

export function policyIdOf(number: number): string {
  return `30000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

function requestAt(world: World, place: Place): Sent {
  const { random } = world;
  const { tank, policy, sender, nonce, tenant, isRelayed } = place;
  const now = timeOf(world);
  const keyNumber = random.pick(tenant.keys);
  const inTokens = !isRelayed && random.chance(35);
  const userPercent = inTokens ? random.pick([100, 100, 40, 70]) : 0;
  const isVendor = !isRelayed && !inTokens && random.chance(place.asksVendor ?? 15);
  const amount = weiBetween(random, 50, 2_000);
  const client = random.chance(25) ? undefined : random.pick(['client one', 'client two', 'client three']);
  const calls = callsOf(world, policy.policyId === '' ? policy.paymasterId : policy.policyId);
  const heard: Sent['heard'] = { rulings: [] };
  const ticket = random.chance(45) ? ticketOf(world) : undefined;
  const isCapped = random.chance(80);
  const serial = isVendor ? 0 : random.below(3);
  const request: HoldRequest = {
    tank,
    accountId: tenant.accountId,
    policy,
    decidedOn: { paymasterChanges: undefined, isCurrent: () => true },
    key: {
      keyNumber,
      limits: new Map(tenant.keys.map((key) => [key, world.keyLimits.get(keyOwner(policy.paymasterId, key)) ?? []])),
    },
    payment: { userPercent, tokens: undefined },
    prices: { usdMicrosPerCoin: priceOf(world), seenUsdMicrosPerCoin: priceOf(world) },
    sender,
    nonce,
    amount,
    deploys: false,
    paysAuthorization: false,
    simulated: false,
    validUntil: validityOf(world, isVendor),
    lastsLong: !isVendor && random.chance(12),
    // A few keys, so that some requests come again.
    requestKey: `${policy.paymasterId} ${policy.policyId} ${tank.contract} ${sender} ${nonce} ${serial}`,
    terms: `terms ${world.serial}`,
    signer: numberedAddress(0x51),
    chainDeposit: random.chance(92) ? plenty : weiBetween(random, 0, 30_000),
    walletBalance: random.chance(95) ? undefined : weiBetween(random, 0, 30_000),
    landing: landingOf(world, place, { isVendor, amount }),
    decisionRow: (rulings) => {
      heard.rulings = rulings;
      return undefined;
    },
    ...(ticket === undefined ? {} : { ticket }),
    ...(calls === undefined ? {} : { calls: calls.byKey }),
    ...(isVendor ? { vendor: vendorOf(world, now) } : {}),
    ...(inTokens && random.chance(70)
      ? {
          unpaidBudget: {
            maxUnpaidSharePerSender: random.pick([0, 0.01, 0.05]),
            maxUnpaidSharePerPaymaster: random.pick([0.02, 0.1]),
          },
        }
      : {}),
    ...(isCapped ? { caps: { client, most: random.pick(caps) } } : {}),
  };
  world.serial += 1;
  return { request, calls: calls?.byName, heard };
}

/** Rarely without an end. */
function validityOf(world: World, isVendor: boolean): number {
  const { random } = world;
  if (!isVendor && random.chance(8)) return endOfTime;
  return timeOf(world) + random.pick([5, 300, 4_000, 4_000, 60_000]);
}

function priceOf({ random }: World): bigint | undefined {
  return random.chance(90) ? BigInt(random.between(1, 3)) * coin : undefined;
}

/** How often it makes the calls that limits of a policy count; sometimes a limit was set since and its calls are not known. */
function callsOf(
  { random, model }: World,
  owner: string,
): { readonly byKey: ReadonlyMap<string, number>; readonly byName: ReadonlyMap<string, number> } | undefined {
  const named = (model.limits.get(owner) ?? []).filter(({ called }) => called !== undefined);
  if (random.chance(4)) return undefined;
  const byKey = new Map<string, number>();
  const byName = new Map<string, number>();
  for (const limit of named) {
    const { contract, method, called = '' } = limit;
    if (contract === undefined || random.chance(4)) continue;
    const times = byName.get(called) ?? random.pick([0, 1, 1, 3]);
    byName.set(called, times);
    byKey.set(calledKey(method === undefined ? { contract } : { contract, method }) ?? '', times);
  }
  return { byKey, byName };
}

/** A ticket of one of three users; what it allows follows from its id. Several may have the same one, with ends of their own. */
function ticketOf(world: World): RequestTicket {
  const { random } = world;
  const user = random.pick(['subject:ann', 'subject:bob', 'subject:eve']);
  if (random.chance(40)) return { user, bounded: undefined };
  const number = random.below(3) + 2 * Math.floor(world.step / 40);
  const endsAt = timeOf(world) + random.pick([-8 * 86_400, -200_000, 600, 86_400, 86_400, 7 * 86_400]);
  const all = [
    { unit: 'operations', max: BigInt(1 + (number % 3)) },
    { unit: 'wei', max: BigInt(1_500 + 500 * (number % 4)) * 10n ** 12n },
    { unit: 'usdMicros', max: BigInt(4_000 + 500 * (number % 2)) },
  ] as const;
  const chosen = all.filter((_, index) => number % 3 === index || number % 2 === 0);
  const limits = chosen.map((one) => ({ per: 'ticket', window: 'ever', ...one }) as const);
  return { user, bounded: { id: `ticket:${user}:${number}`, endsAt, limits } };
}

function vendorOf({ random }: World, now: number): VendorAsk {
  const budget = {
    usdMicrosPerDay: random.pick([2_500n, 6_000n]),
    usdMicrosPerMonth: random.pick([9_000n, 60_000n]),
    maxSharePerClient: random.pick([0.25, 0.6]),
  };
  return { usdMicros: BigInt(random.between(100, 2_500)), budget, why, askedUntil: now + random.pick([2, 60]) };
}

/** Its names on the chain. The same operation has the same hash where it is relayed, whichever policy it is asked for under. */
function landingOf(
  { serial }: World,
  { tank, sender, nonce, isRelayed }: Place,
  asked: { readonly isVendor: boolean; readonly amount: bigint },
): Landing {
  // A chain has one way or two, for all its paymasters.
  const otherPayers = contracts.flatMap(({ chainId, address, isRelay: ofRelay }) =>
    chainId === tank.chainId && ofRelay !== isRelayed ? [address] : [],
  );
  const hash = (number: bigint): Hex => pad(numberToHex(number), { size: 32 });
  if (asked.isVendor) return { contentId: undefined, relayed: undefined, otherPayers };
  if (!isRelayed) return { contentId: hash(0xc0_0000_0000n + BigInt(serial)), relayed: undefined, otherPayers };
  const content = BigInt(sender) * 1_000_000n + nonce * 10n + (asked.amount % 3n);
  const userOperationHash = hash((BigInt(tank.wallet) << 180n) + content);
  return { contentId: undefined, relayed: { userOperationHash, operation: '{}' }, otherPayers };
}
