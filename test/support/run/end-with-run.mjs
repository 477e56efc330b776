// Each worker of the tests loads this first. A worker whose run was killed would go on for ever, and with it the nodes, servers
// and browsers of its tests: these end when the worker does.
process.once('disconnect', () => process.exit(1));
