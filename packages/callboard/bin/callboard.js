#!/usr/bin/env node
/*
 * Starts the command, or says which Node it needs. Old JavaScript on purpose, and CommonJS (see package.json beside it):
 * this file must be understood by a Node that is too old for everything else.
 */
// biome-ignore-all lint/suspicious/noVar: an old Node knows nothing else
// biome-ignore-all lint/complexity/noArguments: an old Node knows no rest parameters
// biome-ignore-all lint/style/useTemplate: an old Node knows none
// biome-ignore-all lint/style/useNodejsImportProtocol: an old Node does not know it
'use strict'

var fs = require('fs')
var path = require('path')

var NEEDED = [22, 18]
// In the repository the source runs as it is; what is published was built.
var SOURCE = path.join(__dirname, '..', 'src', 'main.ts')
var BUILT = path.join(__dirname, '..', 'main.js')

function isNewEnough(version) {
  var parts = version.split('.').map(Number)
  return parts[0] > NEEDED[0] || (parts[0] === NEEDED[0] && parts[1] >= NEEDED[1])
}

/* Node 22 warns that its SQLite is experimental, with each start; who runs a command can do nothing about it. */
function hideSqliteWarning() {
  var warn = process.emitWarning
  process.emitWarning = function (warning, type) {
    if (type === 'ExperimentalWarning' && /SQLite/.test(String(warning))) return
    warn.apply(process, arguments)
  }
}

if (isNewEnough(process.versions.node)) {
  hideSqliteWarning()
  // Halves the start, as the types need not be stripped each time.
  require('module').enableCompileCache()
  require(fs.existsSync(SOURCE) ? SOURCE : BUILT)
} else {
  console.error('callboard needs Node ' + NEEDED.join('.') + ' or later, but this is Node ' + process.versions.node)
  process.exitCode = 70
}
