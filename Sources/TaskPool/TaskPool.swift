// TaskPool
