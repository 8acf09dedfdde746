import { failStart, ignitor } from './ignitor.js'

ignitor.httpServer().start().catch(failStart)
