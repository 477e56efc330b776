import { fileURLToPath } from 'node:url';

// Who may import whom, checked by `npm run check` and drawn by `npm run graph`. A rule says what is forbidden and its
// comment why. Type imports count like others, except where a rule says otherwise.

/** The layers of the core, lowest first: a folder imports from those before it in this list, never from those after it. */
const layers = [
  'base',
  'domain',
  'store',
  'evm',
  'node',
  'gas',
  'quotes',
  'webhooks',
  'tickets',
  'policies',
  'paymasters',
  'outbox',
  'ledger',
  'decisions',
  'management',
  'sponsorship',
  'bundling',
  'runtime',
];

/** What each layer is, for whoever breaks its rule. */
const layerComments = {
  base: 'core/base is values, time, tracing and metrics: what no domain has a part in. It imports nothing of ours but the contract.',
  domain: 'core/domain holds the types and values everything else is made of. It imports core/base and the contract.',
  store: 'core/store keeps rows and knows nothing of what they mean.',
  evm: 'core/evm is pure: formats of the chain, without a store to read or a node to ask.',
  node: 'core/node asks nodes, bundlers and signers that are elsewhere, and says what they answered.',
  gas: 'core/gas estimates and guards limits with the help of a node. It knows no policies and no ledger.',
  quotes: 'core/quotes turns prices into what a token costs. It knows no policies and no ledger.',
  webhooks: 'core/webhooks calls URLs of others safely. Why they are called is decided above it.',
  tickets:
    'core/tickets verifies what users bring with them. It reads no ledger and does not know what a ticket is spent on.',
  policies: 'core/policies decides from what it is given. It reads no ledger and asks no one.',
  paymasters:
    'core/paymasters is what a request needs to know of its paymaster: profile, policy, rates and use of its keys, cached by memory. It changes none of it.',
  outbox: 'core/outbox stores notifications together with the fact. The sending is done in core/runtime.',
  ledger: 'core/ledger keeps tanks, holds, entries. It does not know who asked for a signature.',
  decisions: 'core/decisions records what was decided. It never decides.',
  management: 'core/management is what account holders change. It does not sponsor.',
  sponsorship: 'core/sponsorship is the act: the steps from a request to a signature. Nothing here runs by itself.',
  bundling: 'core/bundling is what clients ask of a bundler. It signs nothing and keeps nothing.',
  runtime: 'core/runtime is what runs by itself. Only core/local.ts stands above it.',
};

const anything = '^(contract|proto|core|gateway|server|clients|tools|test)/';

const layerRules = layers.map((layer, index) => ({
  name: `core-${layer}`,
  severity: 'error',
  comment: layerComments[layer],
  from: { path: `^core/${layer}/` },
  to: { path: anything, pathNot: `^(core/(${layers.slice(0, index + 1).join('|')})/|contract/)` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'contract',
      severity: 'error',
      comment:
        'contract is the public interface as data. It imports nothing of ours, so that clients can take it alone.',
      from: { path: '^contract/' },
      to: { path: anything, pathNot: '^contract/' },
    },
    {
      name: 'proto',
      severity: 'error',
      comment: "proto is the core's gRPC service and what is generated from it. It imports nothing of ours.",
      from: { path: '^proto/' },
      to: { path: anything, pathNot: '^proto/' },
    },
    ...layerRules,
    {
      name: 'core-grpc',
      severity: 'error',
      comment:
        'core/grpc is the same Core seen from another process. It knows the domain, the contract and the messages, nothing else.',
      from: { path: '^core/grpc/' },
      to: { path: anything, pathNot: '^(core/(grpc|domain|base)|contract|proto)/' },
    },
    {
      name: 'core-local',
      severity: 'error',
      comment:
        'core/local.ts puts the layers together. Which process it runs in, and who reaches it, it does not know.',
      from: { path: '^core/[^/]+$' },
      to: { path: anything, pathNot: `^core/(${layers.join('|')})/` },
    },
    {
      name: 'core-folders',
      severity: 'error',
      comment: 'A new folder of the core gets its line in the list of layers in .dependency-cruiser.mjs.',
      from: { path: '^core/', pathNot: `^core/((${layers.join('|')}|grpc)/|local\\.ts$)` },
      to: {},
    },
    {
      name: 'gateway',
      severity: 'error',
      comment:
        'gateway is HTTP in front of a Core. It takes the contract, and of the core only what core/domain and core/base declare.',
      from: { path: '^gateway/' },
      to: { path: anything, pathNot: '^(gateway|contract|core/(domain|base))/' },
    },
    {
      name: 'gateway-types-only',
      severity: 'error',
      comment:
        'gateway takes types from the core, no code but plain values: the core it is given may run in another process.',
      from: { path: '^gateway/' },
      to: { path: '^core/', pathNot: '^core/base/values/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'clients-sdk',
      severity: 'error',
      comment: 'clients/sdk runs in browsers and is published. It takes the contract and nothing else of ours.',
      from: { path: '^clients/sdk/' },
      to: { path: anything, pathNot: '^(clients/sdk|contract)/' },
    },
    {
      name: 'clients-cli',
      severity: 'error',
      comment:
        'clients/cli is commands over the management interface. It takes the SDK and the contract; a policy file is also judged without a service, with what judges it there.',
      from: { path: '^clients/cli/' },
      to: {
        path: anything,
        pathNot: '^(clients/(cli|sdk)|contract)/|^core/(domain/(policy|policy-item)|policies/check-policy)\\.ts$',
      },
    },
    {
      name: 'server',
      severity: 'error',
      comment:
        'server is the process and the commands of its operator. Its program contains the command line of account holders; the dashboard is served as files.',
      from: { path: '^server/' },
      to: { path: '^clients/dashboard/' },
    },
    {
      name: 'server-one-time-sign-in',
      severity: 'error',
      comment: 'A link that signs in is for the development service alone, never for one that others reach.',
      from: { path: '^(server|clients)/', pathNot: '^server/(dev/|commands/dev\\.ts$)' },
      to: { path: '^server/dev/sign-in/' },
    },
    {
      name: 'product-without-tools',
      severity: 'error',
      comment: 'Nothing of the product is made of tests or tools.',
      from: { path: '^(contract|proto|core|gateway|server|clients)/' },
      to: { path: '^(test|tools)/' },
    },
    {
      name: 'clients-dashboard',
      severity: 'error',
      comment:
        'clients/dashboard is pages in a browser. It takes the contract and the SDK, and asks for the rest over HTTP.',
      from: { path: '^clients/dashboard/' },
      to: { path: anything, pathNot: '^(clients/(dashboard|sdk)|contract)/' },
    },
    {
      name: 'clients-folders',
      severity: 'error',
      comment: 'A new client gets a rule of its own in .dependency-cruiser.mjs.',
      from: { path: '^clients/', pathNot: '^clients/(sdk|cli|dashboard)/' },
      to: {},
    },
    {
      name: 'test-folders',
      severity: 'error',
      comment: 'A test folder takes from the product, test/support, tools and itself, never from another test folder.',
      from: { path: '^test/([^/]+)/' },
      to: { path: '^test/', pathNot: '^test/($1|support)/' },
    },
    {
      name: 'no-circle-among-folders',
      severity: 'error',
      comment: 'Two folders that need each other are one folder, or there is a third one below both.',
      scope: 'folder',
      from: { path: '^(contract|proto|core|gateway|server|clients)(/|$)' },
      to: { circular: true },
    },
    {
      name: 'no-circle-among-files',
      severity: 'error',
      comment: 'Files that need each other, types included, cannot be read one after the other.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'An import that leads nowhere would escape all other rules.',
      from: { pathNot: '\\.generated\\.ts$' },
      // The build makes the virtual ones.
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '(^|/)dist/'] },
    exclude: { path: ['(^|/)dist/', '(^|/)node_modules/'] },
    tsConfig: { fileName: fileURLToPath(new URL('tsconfig.json', import.meta.url)) },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      // Our own packages are followed into their sources.
      conditionNames: ['@tollfree/source', 'import', 'require', 'node', 'default', 'types'],
    },
  },
};
