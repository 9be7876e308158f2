/** The floors of the house, from the ground up: an import points to the same floor or down, never up. */
const floors = [
  ['ground'],
  ['tools'],
  ['config'],
  ['catalog', 'gate', 'store'],
  ['plugins'],
  ['invoke'],
  ['host'],
  ['surfaces'],
  ['main'],
]
const src = '^packages/callboard/src/'
/** Every file beside the folders but those that put the house together; a name with another dot in it is a test's. */
const ground = '(?!(?:host|main|index)\\.ts$)[^/.]+\\.ts$'
/** What is on a floor: each room is a folder, a file of that name, or both. */
const inside = (rooms) => `${src}(${rooms.map((room) => (room === 'ground' ? ground : `${room}(/|\\.ts$)`)).join('|')})`
const kinds = 'local|ai|external|mcp|builtin'

const upward = floors.slice(0, -1).map((rooms, floor) => ({
  name: `floor-${floor}-${rooms.join('-')}`,
  comment: `${rooms.join(', ')} may not import from a floor above`,
  severity: 'error',
  from: { path: inside(rooms) },
  to: { path: inside(floors.slice(floor + 1).flat()) },
}))

const sideways = floors
  .slice(1)
  .filter((rooms) => rooms.length > 1)
  .map((rooms) => ({
    name: `side-${rooms.join('-')}`,
    comment: `${rooms.join(' and ')} stand beside each other and know nothing of each other`,
    severity: 'error',
    from: { path: `${src}(${rooms.join('|')})/` },
    to: { path: `${src}(${rooms.join('|')})/`, pathNot: `${src}$1/` },
  }))

export default {
  forbidden: [
    ...upward,
    ...sideways,
    {
      name: 'sdk-knows-no-host',
      comment: 'the SDK has no dependency on the host',
      severity: 'error',
      from: { path: '^packages/sdk/' },
      to: { path: '^packages/callboard/' },
    },
    {
      name: 'kinds-apart',
      comment: 'each kind of plugin touches no other kind',
      severity: 'error',
      from: { path: `${src}plugins/(${kinds})/` },
      to: { path: `${src}plugins/(${kinds})/`, pathNot: `${src}plugins/$1/` },
    },
    {
      name: 'surfaces-apart',
      comment: 'one surface knows nothing of another',
      severity: 'error',
      from: { path: `${src}surfaces/([^/]+)/` },
      to: { path: `${src}surfaces/([^/]+)/`, pathNot: `${src}surfaces/$1/` },
    },
    {
      name: 'stores-behind-ports',
      comment: 'only the host picks a store; everything else knows its ports',
      severity: 'error',
      from: { path: src, pathNot: `${src}(store/(sqlite|journal)/|host\\.ts$|host/)|\\.test\\.ts$` },
      to: { path: `${src}store/(sqlite|journal)/` },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.json'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
