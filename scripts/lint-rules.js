/** Rules of this repository for oxlint, loaded by `.oxlintrc.json`: they replace what `no-restricted-syntax` would say. */

/** There is one clock (ADR 0001). */
const oneClock = {
  create: (context) => {
    const report = (node) => context.report({ node, message: "Read the time from chassis' clock." })
    return {
      'CallExpression[callee.object.name="Date"][callee.property.name="now"]': report,
      'NewExpression[callee.name="Date"][arguments.length=0]': report,
    }
  },
}

/** A store's functions run its statements; nobody else sees one. */
const statementsInStores = {
  create: (context) => ({
    'CallExpression[callee.property.name="query"]': (node) =>
      context.report({
        node,
        message: 'Call a function of a file named store.ts or …-store.ts: nothing else runs a statement.',
      }),
  }),
}

export default {
  meta: { name: 'causeway' },
  rules: { 'one-clock': oneClock, 'statements-in-stores': statementsInStores },
}
