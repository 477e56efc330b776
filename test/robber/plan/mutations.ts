import type { Random } from '../random.ts';
import {
  type Asking,
  honestAsking,
  type Landing,
  type LimitChange,
  landingChanges,
  limitNames,
  type OperationFields,
  type Padding,
  type Plan,
  sameLimits,
  type Work,
} from './plan.ts';

/** The most bytes of one padding: hex of twice as many still fits in one request. */
const maxPadding = 60_000;
const maxBefore = 2;

/** A change of one field that a caller controls. It knows nothing of what the service does with the field. */
export type Mutation = {
  readonly name: string;
  readonly apply: (plan: Plan, random: Random) => Plan;
  /** Only where a contract signs, and the attacker bundles. */
  readonly ofContract?: true;
  /** Only with a validator of the attacker's. */
  readonly ofModule?: true;
  /** Only where the sponsored contract lets a caller decide what it costs. */
  readonly ofTarget?: true;
  /** Only where the service has a bundler that lies. */
  readonly ofBundler?: true;
  /** Not where an account is to keep to its signature: bytes behind it have a bound of their own. */
  readonly ofSignature?: true;
};

function pad({ bytes, fill }: Padding, random: Random): Padding {
  if (bytes > 0 && random.next() < 0.15) return { bytes, fill: fill === 'zeros' ? 'ones' : 'zeros' };
  const others = bytes === 0 ? [1, 32, 500] : [0, Math.min(2 * bytes, maxPadding), Math.floor(bytes / 2)];
  return { bytes: random.pick([...others, 4_000, 20_000, maxPadding]), fill: random.pick(['zeros', 'ones', 'ones']) };
}

function changeLimit({ percent, add }: LimitChange, random: Random): LimitChange {
  const adds = [0, 1_000, 4_500, 20_000, 60_000, 99_000, 149_000, 300_000, 700_000, -3_000, -20_000];
  switch (random.below(4)) {
    case 0:
      return { percent: random.pick([10, 50, 90, 100, 110, 118, 136, 150, 199, 400, 1_000]), add };
    case 1:
      return { percent, add: random.pick(adds) };
    case 2:
      return { percent, add: 2 * add + 5_000 };
    default:
      return { percent, add: add + Math.round((random.next() - 0.3) * (Math.abs(add) + 10_000)) };
  }
}

type Change<T> = (value: T, random: Random) => Partial<T>;

function ofAsking(name: string, change: Change<Asking>): Mutation {
  return {
    name,
    apply(plan: Plan, random: Random) {
      // Earlier requests about the operation may differ from the last one.
      const at = random.below(plan.before.length + 1);
      const before = plan.before.map((asking, index) =>
        index === at ? { ...asking, ...change(asking, random) } : asking,
      );
      const isLast = at === plan.before.length;
      const asking = isLast ? { ...plan.asking, ...change(plan.asking, random) } : plan.asking;
      return { ...plan, before, asking };
    },
  };
}

function ofOperation(name: string, change: Change<OperationFields>): Mutation {
  return {
    name,
    apply: (plan, random) => ({ ...plan, operation: { ...plan.operation, ...change(plan.operation, random) } }),
  };
}

function ofLanding(name: string, change: Change<Landing>): Mutation {
  return {
    name,
    apply: (plan, random) => ({ ...plan, landing: { ...plan.landing, ...change(plan.landing, random) } }),
  };
}

function changeWork({ slots, kilogas }: Work, random: Random): Work {
  return random.next() < 0.7
    ? { slots: random.pick([0, 1, 2, slots + 1, 2 * slots, 5, 10, 20, 40]), kilogas }
    : { slots, kilogas: random.pick([0, 10, 2 * kilogas, 50, 200, 600, 900]) };
}

const authorizations = ['where needed', 'always', 'never'] as const;

const limitMutations = limitNames
  .map((limit) =>
    ofAsking(`give ${limit}`, ({ given = sameLimits }, random) => ({
      given: { ...given, [limit]: changeLimit(given[limit], random) },
    })),
  )
  .map((mutation, index) =>
    limitNames[index]?.startsWith('paymaster') ? { ...mutation, ofContract: true as const } : mutation,
  );

const moduleMutations: readonly Mutation[] = [
  ofAsking('have the validator work when asking', ({ work }, random) => ({ work: changeWork(work, random) })),
  ofLanding('have the validator work when landing', ({ work }, random) => ({ work: changeWork(work, random) })),
  {
    name: 'have the validator work',
    apply(plan: Plan, random: Random) {
      const work = changeWork(plan.landing.work, random);
      return { ...plan, asking: { ...plan.asking, work }, landing: { ...plan.landing, work } };
    },
  },
].map((mutation) => ({ ...mutation, ofModule: true }));

const targetMutations: readonly Mutation[] = [
  ofOperation('have the sponsored method do more', ({ slots }, random) => ({
    slots: random.pick([0, 10, 2 * slots + 1, slots + 5, 75, 150, 220]),
  })),
  ofOperation('give the sponsored method bytes', ({ noted }, random) => ({
    noted: random.pick([0, 500, 2 * noted + 32, 4_000, 12_000]),
  })),
  ofLanding('change the sponsored contract before', (_, random) => ({ state: random.pick(['same', 'changed']) })),
].map((mutation) => ({ ...mutation, ofTarget: true }));

/** What bundlers estimate: the paymaster's limits they leave to it. */
const bundlerMutations: readonly Mutation[] = (
  ['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const
).map((limit) => ({
  ...ofAsking(`have the bundler say another ${limit}`, ({ bundler = sameLimits }, random) => ({
    bundler: { ...bundler, [limit]: changeLimit(bundler[limit], random) },
  })),
  ofBundler: true,
}));

/** A change that needs a contract which signs, and a bundle of the attacker's. */
const bundled = (mutation: Mutation): Mutation => ({ ...mutation, ofContract: true });

/** Every change that is tried. */
export const mutations: readonly Mutation[] = [
  ofAsking('lengthen the signature when asking', ({ signaturePadding }, random) => ({
    signaturePadding: pad(signaturePadding, random),
  })),
  ofAsking('spoil the signature when asking', (_, random) => ({
    signature: random.pick(['placeholder', 'zeros', 'ones', 'empty', 'cut']),
  })),
  bundled(
    ofAsking('send paymaster fields', ({ paymasterPadding }, random) => ({
      paymasterPadding: pad(paymasterPadding, random),
    })),
  ),
  ofAsking('show an authorization', (_, random) => ({ authorization: random.pick(authorizations) })),
  bundled(
    ofAsking('ask by another method', (_, random) => ({
      method: random.pick(['pm_sponsorUserOperation', 'pm_getPaymasterData']),
    })),
  ),
  ofAsking('name no account', ({ namesAccount }) => ({ namesAccount: !namesAccount })),
  ...limitMutations,
  {
    name: 'let the service estimate',
    apply: (plan) => {
      const { given: _, ...asking } = plan.asking;
      return { ...plan, asking };
    },
  },
  {
    name: 'ask before',
    apply: (plan, random) => {
      if (plan.before.length === maxBefore || random.next() < 0.4) return { ...plan, before: plan.before.slice(1) };
      const method = random.pick([
        'pm_sponsorUserOperation',
        'pm_getPaymasterStubData',
        'pm_getPaymasterData',
      ] as const);
      return { ...plan, before: [...plan.before, { ...random.pick([plan.asking, honestAsking]), method }] };
    },
  },
  {
    name: 'ask another tenant before',
    ofContract: true,
    apply: (plan, random) => {
      const asked: Asking = { ...random.pick([plan.asking, honestAsking]), tenant: 'other' };
      return { ...plan, before: [...plan.before.slice(0, maxBefore - 1), asked] };
    },
  },
  ofOperation('append bytes to inner call data', ({ callPadding }, random) => ({
    callPadding: pad(callPadding, random),
  })),
  ofOperation('append bytes to call data', ({ outerPadding }, random) => ({ outerPadding: pad(outerPadding, random) })),
  ofOperation('append bytes to factory data', ({ creationPadding }, random) => ({
    creationPadding: pad(creationPadding, random),
  })),
  ofOperation('make accounts', (_, random) => ({ account: random.pick(['there', 'again', 'each', 'first']) })),
  ofOperation('make another number of calls', (_, random) => ({ calls: random.pick([1, 2, 3, 8]) })),
  ofOperation('make other calls', (_, random) => ({
    method: random.pick(['increment', 'pay']),
    value: random.pick([0, 0, 1]),
  })),
  ofOperation('use a wide nonce key', ({ wideNonce }) => ({ wideNonce: !wideNonce })),
  bundled(ofOperation('offer another tip', (_, random) => ({ tipPercent: random.pick([0, 50, 100, 150, 200, 250]) }))),
  bundled(ofOperation('offer another price', (_, random) => ({ feePercent: random.pick([0, 100, 120, 200, 300]) }))),
  {
    ...bundled(
      ofLanding('lengthen the signature when landing', ({ signaturePadding }, random) => ({
        signaturePadding: pad(signaturePadding, random),
      })),
    ),
    ofSignature: true,
  },
  bundled(
    ofLanding('land with another authorization', (_, random) => ({ authorization: random.pick(authorizations) })),
  ),
  bundled(ofLanding('land another operation', (_, random) => ({ change: random.pick(landingChanges) }))),
  bundled(ofLanding('bundle in another way', (_, random) => ({ bundler: random.pick(['wallet', 'contract']) }))),
  bundled(ofLanding('bundle plain operations too', (_, random) => ({ company: random.pick([0, 1, 4, 8]) }))),
  bundled(ofLanding('spend the tokens before', (_, random) => ({ tokens: random.pick(['kept', 'gone']) }))),
  ...moduleMutations,
  ...targetMutations,
  ...bundlerMutations,
  { name: 'bundle another number', apply: (plan, random) => ({ ...plan, operations: random.pick([1, 2, 5]) }) },
];

/** Draws each change once before any is drawn again, in an order of its own; those that helped last are drawn more. */
export function createDeck(allowed: readonly Mutation[], random: Random) {
  let left: readonly Mutation[] = [];
  return {
    draw(helped: readonly Mutation[]): Mutation {
      if (helped.length > 0 && random.next() < 0.4) return random.pick(helped);
      if (left.length === 0) left = allowed;
      const drawn = random.pick(left);
      left = left.filter((mutation) => mutation !== drawn);
      return drawn;
    },
  };
}
export type Deck = ReturnType<typeof createDeck>;

/** A plan with one to three changes. */
export function mutate(
  plan: Plan,
  random: Random,
  draw: () => Mutation,
): { readonly plan: Plan; readonly made: readonly Mutation[] } {
  const made = Array.from({ length: random.pick([1, 1, 1, 2, 2, 3]) }, draw);
  return { plan: made.reduce((changed, { apply }) => apply(changed, random), plan), made };
}
