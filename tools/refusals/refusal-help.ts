import type { RpcRefusalReason } from '../../contract/rpc/refusals.ts';

/** What a page says of one refusal, next to its meaning in the contract. All texts are Markdown. */
export type RefusalHelp = {
  /** What to look for, and what it means. Empty where the meaning is the whole cause. */
  readonly causes: readonly (readonly [sign: string, cause: string])[];
  /** What the developer of the app does. */
  readonly app: string;
  /** What the owner of the paymaster does, or the operator of the service. */
  readonly owner: string;
};

const ownBackend =
  'Nothing to allow here. Many of these from one address mean a broken app, or someone who tries keys.';
const waits = 'Try again after some seconds, with a longer wait each time. Nothing was signed or held.';
const bySetting = (command: string): string => `\`${command}\` shows what is set now.`;

/** For every reason of the RPC endpoint. */
export const refusalHelp: Readonly<Record<RpcRefusalReason, RefusalHelp>> = {
  INVALID_PARAMS: {
    causes: [
      [
        '`field` is part of the operation',
        'a client of another EntryPoint: 0.6 has `initCode` and `paymasterAndData`, later ones have `factory` and `paymaster`',
      ],
      ['`field` is in the context', 'a misspelt name, or a number where text is expected'],
    ],
    app: 'Read `error.data.field` and compare the request with [the method](reference/rpc.md). Let the client build the operation instead of building it by hand.',
    owner: ownBackend,
  },
  INTERNAL: {
    causes: [],
    app: `${waits} If it stays, report the \`decisionId\`, or the id in the message.`,
    owner:
      'Search the log for that id. The line with `"level":"error"` has the cause. It is a bug of the service: report it. No request is known to cause one, so there is no sample of it here.',
  },
  UNAUTHORIZED: {
    causes: [
      ['it worked yesterday', 'the key was rotated or ended'],
      ['it never worked', 'the URL has the chain id of another chain, or a key of a test service'],
    ],
    app: 'Compare the chain id and the key in the URL with what the dashboard shows under *Connect*.',
    owner:
      '`tollfree key list` shows the keys that still count. After a rotation, publish the app with the new key before the old one ends.',
  },
  PAYMASTER_PAUSED: {
    causes: [],
    app: 'Offer the user to pay the gas, or ask again later.',
    owner: 'The [audit log](reference/health-and-logs.md#audit-log) has who paused it.',
  },
  PAYMASTER_RETIRED: {
    causes: [],
    app: 'Use the URL of another paymaster: a retired one does not come back.',
    owner: 'Create another one and fill its tank. What was left in the old tank is [yours to withdraw](gas-tank.md).',
  },
  KEY_DISABLED: {
    causes: [],
    app: 'Every request with this key fails until then. Ask for one that works.',
    owner: 'Enable it again: clients keep their URL.',
  },
  ORIGIN_NOT_ALLOWED: {
    causes: [
      ['it happens in previews or on localhost', 'these pages have an origin of their own'],
      ['it happens in a mobile app', 'such apps send no origin'],
    ],
    app: 'Ask from a page of an allowed origin. A server or a mobile app needs a key without origins.',
    owner:
      'Name every origin, since the list is replaced. An origin is scheme, host and port, like `https://app.example.com`.',
  },
  ADDRESS_NOT_ALLOWED: {
    causes: [
      [
        'all clients have it',
        'the proxy in front of the service is not in `gateway.trustedProxies`, so its own address is compared',
      ],
    ],
    app: 'Send the request from the server whose address is on the list.',
    owner: 'Name every range, like `203.0.113.0/24`, since the list is replaced.',
  },
  RPC_METHOD_NOT_ALLOWED: {
    causes: [],
    app: 'Use a method that the key may use, or another key.',
    owner:
      'Name every method, since the list is replaced. viem needs `pm_getPaymasterStubData`, `pm_getPaymasterData` and `pm_supportedEntryPoints`.',
  },
  ENTRY_POINT_NOT_SUPPORTED: {
    causes: [['the account library was updated', 'its default may be a newer EntryPoint now']],
    app: 'Create the account for the EntryPoint that `pm_supportedEntryPoints` answers, and use the key of that version.',
    owner:
      'One paymaster serves one version. Create another for accounts of another version: `tollfree paymaster chains` lists what the service has.',
  },
  CHAIN_NOT_SUPPORTED: {
    causes: [],
    app: 'Check the number in the URL: `/api/v2/<chainId>/<apiKey>`.',
    owner: 'The operator [adds a chain](operations.md#add-a-chain).',
  },
  POLICY_NOT_ACCEPTED: {
    causes: [
      [
        'the id comes from another service',
        'libraries of other vendors send theirs as `sponsorshipPolicyId` or `policyId`',
      ],
    ],
    app: 'Leave the id out, or send that of an enabled policy.',
    owner: 'To accept ids of another service, set `ignoreForeignPolicyIds`.',
  },
  NO_POLICIES: {
    causes: [],
    app: 'Ask the owner to allow your contract. Nothing in the request is wrong.',
    owner:
      'Register each contract that you pay for, with the methods. Do not set `sponsorAllCalls` to make this go away: the tank would pay for any call of anyone.',
  },
  CONTRACT_NOT_REGISTERED: {
    causes: [
      ['`target` is a token', 'an `approve` in the batch, which the wallet or a library added'],
      ['`target` is your contract', 'it was deployed again, or it is registered on another chain'],
    ],
    app: 'Remove the call to `target` from the batch, or have it allowed.',
    owner:
      '`tollfree decisions --outcome refused --group` has the address in the command. Read what the contract lets a stranger do before you run it.',
  },
  METHOD_NOT_WHITELISTED: {
    causes: [
      ['the message says “A plain transfer”', 'the call sends coins, or no data'],
      ['`mutability` is `view`', 'the method only reads, so there is nothing to sponsor: leave the call out'],
      ['the contract was upgraded', 'its new methods are missing until you register the new ABI'],
    ],
    app: "Find the name: viem's `toFunctionSelector` gives the selector of each method of your ABI. Remove the call, or ask the owner.",
    owner:
      'Name every method you pay for, since the list is replaced. Allow only methods that you would also pay for if a stranger called them.',
  },
  ARGUMENT_NOT_ALLOWED: {
    causes: [],
    app: 'Read `error.data.argument`: the amount, recipient or token that the user chose is outside of the rule. Check it in the form, before the request.',
    owner: `${bySetting('tollfree policy show')} [Rules on arguments](reference/policies.md#rules-on-arguments) has the operators.`,
  },
  CALL_NOT_UNDERSTOOD: {
    causes: [
      ['the account is new on the market', 'its way to encode a batch is not known'],
      ['the batch has a batch inside', 'calls in calls are not read'],
      ['bytes follow the arguments', 'the encoding is not canonical: some libraries add a tag, others pad'],
    ],
    app: "Send the batch as the account's own library encodes it. Without a known account, name its type in `smartAccountInfo`.",
    owner:
      'Nothing to switch on. [Compatibility](reference/compatibility.md#accounts-whose-calls-are-decoded) lists what is read.',
  },
  ACCOUNT_NOT_KNOWN: {
    causes: [
      ['`error.data.entry` is there', 'the code was read, and it is on no list'],
      ['it happens for one maker only', 'a new version of its implementation'],
    ],
    app: 'Use an account of [the list](reference/compatibility.md), or ask the operator to review yours.',
    owner:
      'Unknown code may report calls that it does not make. Review it, then `tollfree account-code add <address>` makes it known, without a restart. `accounts: ANY` accepts any code: only with a list of senders.',
  },
  SENDER_BLOCKED: {
    causes: [],
    app: 'Show it to the user. Another account of the same user has another address.',
    owner: `${bySetting('tollfree policy show')} With \`allowedSenders\`, everyone else is blocked.`,
  },
  LIMIT_EXCEEDED: {
    causes: [
      ['`POLICY_LIMIT`', 'a limit of the owner for a window. Waiting helps: until `resetsAt`'],
      [
        '`POLICY_CAP`',
        'a cap of the owner on one operation. Waiting does not help: send less, or have `maxCostPerOperation` raised',
      ],
      ['`KEY_LIMIT`', 'a limit of this apiKey: `tollfree key update`'],
      ['`ACCOUNT_BUDGET`', 'a budget over several paymasters: `tollfree budget set`'],
      ['`SCHEDULE`, `PERIOD`', 'a pause, a start or an end: `pauses`, `notBefore`, `notAfter` of the policy'],
      ['`GAS_LIMIT`', 'the operator: the client sends gas limits that are far too high. Leave them out'],
      ['`OPERATOR_CAP`', 'the operator: this operation is too expensive, or too many are open'],
      ['`QUOTE`', "the user's quote in a token: ask for a new one"],
    ],
    app: 'Switch on `error.data.limitKind`, not on the sentence. Show what is left before the user asks: [`tollfree_getAllowance`](limits.md#show-users-what-is-left).',
    owner:
      'Until it lands, an operation counts with its worst case. A limit near the worst case of one operation refuses too early: [choose the numbers](limits.md#choose-the-numbers).',
  },
  BUDGET_NOT_COUNTED: {
    causes: [],
    app: waits,
    owner:
      '`tollfree doctor` names the source of the price that is out. A budget in USD cannot be kept without a price, so nothing is signed.',
  },
  GAS_PRICE_TOO_HIGH: {
    causes: [
      ['`ceiling` is far above the chain', 'the client has a constant, or the fees of another chain'],
      ['`ceiling` is near the price of the chain', 'gas is expensive right now'],
    ],
    app: 'Take fees from the node or the bundler when you build the operation. Never use a constant.',
    owner: 'Wait, or raise `maxFeePerGas` of the policy. The operator has `maxFeePerGasCeiling` above it.',
  },
  WEBHOOK_REFUSED: {
    causes: [],
    app: 'Show `error.data.webhookReason` to the user if it is there: the owner of the webhook wrote it.',
    owner: 'The list of its answers has what your server said, and when.',
  },
  WEBHOOK_UNAVAILABLE: {
    causes: [
      [
        'your server is fast enough',
        'its certificate, or an address that the service may not reach: `tollfree webhook test` says which',
      ],
    ],
    app: waits,
    owner:
      'Fix the server: it has to answer 200 with a decision in time. `tollfree webhook update <id> --active no` goes on without it.',
  },
  INSUFFICIENT_FUNDS: {
    causes: [
      [
        '`funded` lacks your deposit',
        'the deposit is less than ten blocks old, or [went elsewhere](gas-tank.md#deposits-that-fill-no-tank)',
      ],
      ['`available` is low', 'the tank is empty'],
      ['`held` is high', 'open operations hold the rest until they land, or five minutes'],
    ],
    app: "It is not the user's balance. Try once more after a minute, then report the `decisionId` to the owner.",
    owner:
      'The tank shows the three amounts, and the transaction that fills it. [The notification `tank.low`](notifications.md) warns before.',
  },
  RATE_LIMITED: {
    causes: [
      [
        'all users have it at once',
        'the proxy in front of the service is not in `gateway.trustedProxies`, so all of them count as one address',
      ],
    ],
    app: 'Wait for `Retry-After`. A form that asks at each keystroke needs a pause of half a second.',
    owner:
      '`tollfree key update <id> --rate <perSecond:burst>` sets the rate of a key. The operator sets [that of an address](go-live.md#limits-per-key-and-address).',
  },
  ESTIMATION_FAILED: {
    causes: [
      ['`revert`, no `aaCode`', 'your contract does not accept the call: a balance, an allowance, a deadline, a role'],
      ['`revert` is `none`', 'the same without a reason, a call to an address without code, or too little gas'],
      ['`aaCode`', 'account, factory or paymaster, before your call: see [the code](#aa10)'],
      ['`missing` is `factory`', 'there is no contract at the address of the factory on this chain'],
    ],
    app: "Make the same call from the account: viem's `client.call({ account, to, data })` shows the same. Sending it again gives the same answer until the chain changes. If `revert` is only four bytes, the registered ABI lacks that error.",
    owner:
      'Nothing to allow: the policy had accepted the call. `tollfree decisions --refusal ESTIMATION_FAILED` lists them. Do not set `allowRevertingOperations`: you would pay for each failure.',
  },
  USER_PAYS_SHARE: {
    causes: [],
    app: 'Ask for a quote with `mode: "ERC20"`, show it, then ask for the signature in the same mode. The SDK does both: `sponsorOrPay`.',
    owner:
      'Clear `userPaysPercent` if you want to pay everything yourself. [Shares](tokens.md#users-pay-a-share) explains what it does.',
  },
  RELAY_REQUIRED: {
    causes: [],
    app: 'Send the operation through the paymaster URL with `eth_sendUserOperation`, without fees and without paymaster: [Relay](relay.md#send-one).',
    owner: '`relay: ONLY` of the policy is in force. `PREFER` accepts both ways.',
  },
  RELAY_NOT_ALLOWED: {
    causes: [],
    app: 'Ask for paymaster data first, as clients do that have a `paymaster`.',
    owner:
      'Set `relay` of the policy to `PREFER` or `ONLY`, if the operator has [switched relay on](relay.md#switch-it-on).',
  },
  TOKEN_NOT_SUPPORTED: {
    causes: [],
    app: 'Let the user choose among the tokens of `pimlico_getSupportedTokens` or of the quote.',
    owner: '`tokens` of the policy has those you accept. The operator adds a token to the chain, with its price.',
  },
  TOKEN_PAYMENT_FAILS: {
    causes: [
      ['`lacks` is `allowance`', 'the approval is missing, or was used up'],
      ['`lacks` is `balance`', 'the user spent the tokens, or the call itself spends them'],
    ],
    app: 'Put the approval into the same operation, or use a [permit](tokens.md#a-permit-instead-of-an-approval). Tell the user which amount is missing.',
    owner: 'Nothing to allow. The service asks the chain whether it can collect before it signs.',
  },
  PRICE_UNAVAILABLE: {
    causes: [],
    app: waits,
    owner:
      '`tollfree doctor` asks each source by itself and says which fail or disagree. A layer 2 whose sequencer is down has no price.',
  },
  CHAIN_UNAVAILABLE: {
    causes: [
      ['`tollfree status` says “clocks differ”', "the clock of the service's machine is wrong"],
      ['it says that the ledger waits', '[the ledger](ledger.md#when-the-ledger-stops) has stopped'],
    ],
    app: waits,
    owner: 'The status names the part and the fix. With one node only, add a second one of another provider.',
  },
  SIGNER_UNAVAILABLE: {
    causes: [],
    app: 'Send the same request again: it is signed on the hold that is there.',
    owner:
      'The status names the signer backend. [Keys](keys.md#a-signer-that-does-not-respond) has what stands in for it.',
  },
  STORE_UNAVAILABLE: {
    causes: [
      ['SQLite', 'the disk is full or fails'],
      ['PostgreSQL', 'the server does not respond, or fails over'],
    ],
    app: 'Wait for `Retry-After`, then send the same request again.',
    owner: 'Free space, or bring the server back. The service resumes by itself.',
  },
  BUNDLER_NOT_OFFERED: {
    causes: [],
    app: "Use a bundler's own URL for `eth_sendUserOperation` and the other methods of a bundler.",
    owner: '`bundler: { url, expose }` of the chain [offers one here](clients.md#for-the-operator).',
  },
  OPERATION_NOT_SIGNED: {
    causes: [
      ['it was signed, but changed afterwards', 'gas limits or fees that the client estimates again'],
      ['it was signed some time ago', 'signatures end after five minutes'],
    ],
    app: 'Ask for the signature last, copy every field of the answer, and send without a change.',
    owner: 'This keeps strangers from using your bundler. `expose: ANY` lets everyone in who has an apiKey.',
  },
  OPERATION_PENDING: {
    causes: [],
    app: 'Wait for the receipt of the other operation. For two at once, use another nonce key.',
    owner: 'Nothing to allow: two ways to pay for one nonce would hold twice.',
  },
  BUNDLER_REFUSED: {
    causes: [
      ['−32500 with an AA code', 'the EntryPoint: see [the code](#aa10)'],
      ['−32501, −32502, −32504', 'a rule of ERC-7562: stake, storage or opcodes'],
    ],
    app: 'Fix what the message of the bundler describes. It is the bundler that refuses here, not the policy.',
    owner:
      'Where all operations get it, ask the provider of the bundler. A staked contract avoids most of these: `tollfree paymaster-contract status`.',
  },
  BUNDLER_UNAVAILABLE: {
    causes: [],
    app: 'Look the operation up with `eth_getUserOperationReceipt` before you send it again: the bundler may have it.',
    owner: 'The status names the bundler. A list of URLs lets another one take over.',
  },
  TICKET_REQUIRED: {
    causes: [
      [
        'it happens to signed-in users too',
        'the client library drops the context: [how each client sends it](clients.md#tickets-and-policies)',
      ],
    ],
    app: 'Send the ticket of your backend, as `paymasterContext: { ticket }` in viem.',
    owner: '`requireTicket` of the policy keeps strangers out. Leave it on.',
  },
  TICKET_MALFORMED: {
    causes: [],
    app: 'Sign a JWT with a library such as jose, with `sub`, `aud` and `exp`: [Claims](tickets.md#claims).',
    owner: ownBackend,
  },
  TICKET_ALGORITHM_NOT_ALLOWED: {
    causes: [],
    app: "Sign with the `alg` that the ticket key was made for. It is in the key's file.",
    owner: 'The list shows which ones are accepted. To change it, register a new key and retire the old one.',
  },
  TICKET_KEY_NOT_KNOWN: {
    causes: [
      [
        'tickets of an OpenID provider',
        'its key set has a new key, which is fetched within minutes, or `iss` differs by a slash',
      ],
    ],
    app: 'Set `kid` in the header to the id of the key that signs.',
    owner: 'The list shows `kid` and `iss` of each key. `tollfree ticket-key create` registers one.',
  },
  TICKET_SIGNATURE_WRONG: {
    causes: [['only some tickets fail', 'two servers sign with two keys of the same `kid`']],
    app: 'Send the ticket as your backend made it. A JWT that was cut or re-encoded does not verify.',
    owner: 'Where it never worked, the registered public key does not belong to the private key of your backend.',
  },
  TICKET_FOR_ANOTHER: {
    causes: [],
    app: 'Set `aud` to the id of this paymaster, and `iss` to that of the ticket key. A ticket for Base does not work on Optimism.',
    owner: '`tollfree paymaster list` has the ids.',
  },
  TICKET_EXPIRED: {
    causes: [],
    app: 'Ask your backend for a ticket right before the request. Five minutes are enough.',
    owner: 'Where fresh tickets fail, a clock is wrong.',
  },
  TICKET_NOT_YET_VALID: {
    causes: [],
    app: 'Correct the clock of the server that signs tickets (NTP), or set `iat` some seconds earlier.',
    owner: 'If only this service finds it, correct the clock of its machine.',
  },
  TICKET_LIVES_TOO_LONG: {
    causes: [],
    app: 'Sign for minutes, not for days.',
    owner: 'The message has the longest lifetime. A long ticket is as good as a stolen one.',
  },
  TICKET_NOT_FOR_OPERATION: {
    causes: [],
    app: 'Ask your backend for a ticket of this account and of these calls. A ticket with `sender` or `calls` fits nothing else.',
    owner: ownBackend,
  },
  TICKET_USED_UP: {
    causes: [['the first request fails', '`budget` of the ticket is below the worst case of the operation']],
    app: 'Ask your backend for another ticket. The same request, sent again, does not count twice.',
    owner: 'Your backend chooses `uses` and `budget` when it signs: [what is counted](tickets.md#what-is-counted).',
  },
  TICKET_KEYS_UNAVAILABLE: {
    causes: [],
    app: waits,
    owner: "The service could not fetch the key set of your login. Check the key's URL.",
  },
};
