import { failStart, ignitor } from './ignitor.js'

ignitor.ace().handle(process.argv.splice(2)).catch(failStart)
