import { parentPort, workerData } from 'node:worker_threads'
import { compareSync } from 'bcryptjs'

// Node strips the types of this file itself, so it must not import other TypeScript files.
parentPort?.postMessage(compareSync(workerData.password, workerData.hash))
