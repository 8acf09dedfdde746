import { parentPort, workerData } from 'node:worker_threads'
import { compareSync } from 'bcryptjs'

// Node itself strips the types of this file where nothing else does: keep it free of other imports.
parentPort?.postMessage(compareSync(workerData.password, workerData.hash))
