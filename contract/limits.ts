/**
 * The bounds of the interface, each defined only here. The contract's schemas and texts, the core's checks and the
 * command line derive from them, so this module is plain data and imports nothing. A bound of stored data may be
 * raised. Lowering one makes data stored under it unreadable.
 */

/** Items in one page of a list: maximum and default. */
export const maxPageSize = 200;
export const defaultPageSize = 50;
/** The `nextCursor` of a page: the number of a row. */
export const cursorForm = /^[1-9]\d{0,14}$/;

/** Characters of a name that an account holder chooses, of a received id or version, and of a URL. */
export const maxNameLength = 100;
export const maxIdLength = 100;
export const maxUrlLength = 2_048;

/**
 * Characters that no name may contain: control characters, lone surrogates, line breaks, and characters that are
 * invisible or change the direction of text, so that one name looks like another (Unicode Technical Report 36,
 * "Bidirectional Text Spoofing").
 */
export const unprintable = /[\p{Cc}\p{Cs}\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/u;

/** Paymasters of one account: they are never deleted and are listed in one answer. */
export const maxPaymasters = 1_000;

/** Most paymasters in one page of an account's statement: each takes some ten reads of the ledger. */
export const maxStatementsAtOnce = 50;

/**
 * Keys of one paymaster; versions of one apiKey that are accepted at the same time; and the longest time in seconds that a
 * replaced one is still accepted: 30 days.
 */
export const maxKeys = 50;
export const maxApiKeys = 10;
export const maxApiKeyGraceSeconds = 2_592_000;
/** Restrictions of one key: origins, networks, methods and limits, and characters of one of them. */
export const maxKeyRules = 50;
export const maxKeyRuleLength = 256;
/** Requests per second of one key, and its burst. */
export const maxKeyRate = 10_000;
export const maxKeyBurst = 100_000;

/** Most objects of one paymaster. */
export const maxWebhooks = 20;
/** Most stored answers of one webhook. */
export const maxWebhookAnswers = 200;
export const maxContracts = 1_000;
export const maxNotifications = 10;

/** An ABI in bytes, and method references: how many entries, and characters of one. */
export const maxAbiBytes = 512 * 1_024;
export const maxWhitelistedMethods = 1_000;
export const maxMethodLength = 1_000;
/**
 * Parameters of one state-changing method, including tuple components and elements of fixed-length arrays; and methods
 * that all contracts of one paymaster whitelist together, counting each overload. Every request pays for both.
 */
export const maxMethodParameters = 256;
export const maxSelectors = 5_000;

/** Named policies of one paymaster, and the most in one validation request. */
export const maxNamedPolicies = 50;
export const maxValidatedPolicies = 10;
/** Characters of a policy's description, and of its icon including its encoding. */
export const maxPolicyDescription = 500;
export const maxPolicyIcon = 16_384;
/** A data URI (RFC 2397) of an image that wallets show. */
export const policyIconForm = /^data:image\/(png|jpeg|gif|webp|svg\+xml)(;[\w=-]+)*,[\w.~!$&'()*+;=:@%/?-]+$/;

/** Sizes of a policy's lists. */
export const maxPolicySenders = 1_000;
export const maxPolicyTokens = 100;
export const maxPolicyLimits = 20;
export const maxPolicyPauses = 20;
/** Rules on arguments of a policy, conditions of one, values of one list and of all rules together. */
export const maxCallRules = 100;
export const maxCallRuleConditions = 20;
export const maxCallRuleValues = 1_000;
/** Characters of a value that arguments are compared with, and of the name of an argument. */
export const maxCallRuleValueLength = 512;
export const maxArgumentLength = 256;
/** Amounts in a policy, above any real amount: wei, USD, operations. */
export const maxPolicyWei = 10n ** 27n;
export const maxPolicyUsd = 1_000_000_000n;
export const maxPolicyOperations = 10n ** 15n;
/** Lifetime of signatures that a policy can set, in seconds: from half a minute to a day. */
export const minValiditySeconds = 30;
export const maxValiditySeconds = 86_400;
/** Users' share of the gas in a token, in percent. 100 would be token mode without this field, 0 sponsored mode. */
export const minUserPaysPercent = 1;
export const maxUserPaysPercent = 99;
/** Decimals of an amount of USD. */
export const usdDecimals = 6;
/** The end of the year 9999, in Unix seconds. */
export const maxMoment = 253_402_300_799;

/** Past decisions that a proposed policy is replayed on: maximum and default. */
export const maxPreview = 1_000;
export const defaultPreview = 100;
/** Days back that a preview may cover. */
export const maxPreviewDays = 30;

/** Days that sums of usage are kept: longer than one answer covers. */
export const keptUsageDays = 400;
/**
 * Keys that callers choose, such as senders, on one day of a paymaster's usage, over all dimensions. What is signed for others is
 * under one key.
 */
export const maxChosenUsageKeys = 1_000;
/** UTC days of one usage answer, maximum and default, and its rows. */
export const maxUsageDays = 366;
export const defaultUsageDays = 30;
export const maxUsageRows = 1_000;
/**
 * Of a page of the overview: its recent decisions, and how many of each paymaster's last requests its refusals are counted
 * among.
 */
/** Two periods of `defaultUsageDays`, to compare them. */
export const overviewDays = 2 * defaultUsageDays;
export const maxOverviewDecisions = 50;
export const maxOverviewReasons = 1_000;
/** UTC days of one answer of usage by hour. */
export const maxUsageDaysByHour = 8;

/** Thresholds of a low gas tank: more wei than will ever exist, and days. */
export const maxTankLowWei = 10n ** 36n;
export const maxTankLowDays = 3_650;

/** Most stray deposits in one answer. */
export const maxStrayDeposits = 20;
/** Most tanks without a paymaster in one answer. */
export const maxIdleTanks = 20;

/** Characters of an operator's reason for a correction. */
export const maxAdjustmentReason = 200;

/**
 * Days that the ledger keeps rows before they can be archived, since limits with a window count holds of 31 days; and the
 * highest accepted value.
 */
export const minArchiveDays = 40;
export const maxArchiveDays = 36_500;

/** Budgets of one account, and paymasters that one names. */
export const maxBudgets = 20;
export const maxBudgetPaymasters = 100;

/** Wallets that may sign in to one account. */
export const maxMembers = 100;

/** AuthTokens of one account that are valid at the same time, and the longest lifetime of one in days. */
export const maxAuthTokens = 50;
export const maxAuthTokenDays = 3_650;

/** Characters of a sign-in message, and of its signature. */
export const maxSignInMessageLength = 4_096;
export const maxSignatureLength = 4_096;

/** Bytes of a token permit's signature: an account's own code may require more than the 65 of a key. */
export const maxPermitSignatureBytes = 2_048;

/** Tokens of one chain and in one request, and requests of one JSON-RPC batch. */
export const maxTokens = 100;
export const maxBatchSize = 50;

/** Ticket keys of one paymaster, and bytes of the application's own one. */
export const maxTicketKeys = 10;
export const maxTicketJwkBytes = 8_192;
/** Characters of a key's required `iss` and `aud`. */
export const maxIssuerLength = 500;
/** Characters of a ticket; of its `sub` (OpenID Connect Core, 2), its `jti`, its label; number of its calls. */
export const maxTicketLength = 8_192;
export const maxSubjectLength = 255;
export const maxTicketIdLength = 255;
export const maxTicketLabelLength = 100;
export const maxTicketCalls = 50;
/** Most uses of one ticket. */
export const maxTicketUses = 1_000_000_000;
/** The longest lifetime of a ticket, in seconds from now: seven days. */
export const maxTicketLifetimeSeconds = 604_800;
/** Seconds that the clock of a ticket's issuer may be ahead of ours. */
export const ticketClockToleranceSeconds = 30;

/** Bytes of state overrides, as JSON, for a bundler's estimate. */
export const maxStateOverrideBytes = 65_536;
