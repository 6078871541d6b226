"""What people start: the server, JupyterLab, the checks and the command line in front of them."""
