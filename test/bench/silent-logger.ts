import type { Logger } from '../../core/base/logger.ts';

/** What a service under load says of refusals and outages is counted elsewhere. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
