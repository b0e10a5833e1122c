from graph_memory.cli.app import main

main()
