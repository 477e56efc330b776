/**
 * Files that `npm test` leaves out, since it is to take less than eight minutes on two cores: long tables over what
 * shorter ones have an example of, drills of the compiled program, more worlds, and walks through documents.
 * `npm run test:long` runs them.
 */
export const longTests = [
  'test/account-decoders/attributed-calls.test.ts',
  'test/account-decoders/mutations.test.ts',
  'test/attacks/bound-bundlers.test.ts',
  'test/attacks/griefed-sender.test.ts',
  'test/attacks/lists-at-once.test.ts',
  'test/attacks/locked-tank.test.ts',
  'test/attacks/net-gain.test.ts',
  'test/attacks/stored-set-up.test.ts',
  'test/attacks/relayed-operations.test.ts',
  'test/attacks/tokens-gone-before-bundle.test.ts',
  'test/bench/contracts/gas-table.test.ts',
  'test/chain/ledger-at-scale.test.ts',
  'test/chain/killed-node.test.ts',
  'test/cli/operators-walk.test.ts',
  'test/cli/way-to-a-live-chain.test.ts',
  'test/conformance/rpc-grpc.test.ts',
  'test/drills/busy-ledger.test.ts',
  'test/drills/contracts-that-come-and-go.test.ts',
  'test/docs/go-live.test.ts',
  'test/drills/release.test.ts',
  'test/notifications/killed.test.ts',
  'test/packages/installed-packages.test.ts',
  'test/paymaster-contracts/families-accounts.test.ts',
  'test/paymaster-contracts/families-clients.test.ts',
  'test/paymaster-contracts/families-service.test.ts',
  'test/paymaster-contracts/families-signers.test.ts',
  'test/simulation/long-worlds.test.ts',
  'test/simulation/more-worlds.test.ts',
  'test/simulation/simulation-itself.test.ts',
  'test/threats/hostile-values.test.ts',
  'test/tools/killed-run.test.ts',
];

/** Files that `npm test` runs with a few rows of their long tables, and `npm run test:long` with all. */
export const shortenedTests = [
  'test/attacks/gas-price.test.ts',
  'test/bundling/one-url.test.ts',
  'test/cli/services.test.ts',
  'test/dashboard/members.test.ts',
  'test/grpc/broken-peer.test.ts',
  'test/grpc/operations.test.ts',
  'test/robber/refunded-storage.test.ts',
  'test/robber/robber.test.ts',
  'test/simulation/every-crash.test.ts',
  'test/sponsorship/explain.test.ts',
  'test/threats/over-limits.test.ts',
];
